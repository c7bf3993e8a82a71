// What became of the puzzles, kept in this browser: "wabash 2026-11-18" -> first, solved, shown or tried.

const KEY = "cuberails-puzzles";
const MOST = 1000; // so many are kept, the latest days
const FINAL = ["first", "solved", "shown"];

export function results() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return found && typeof found === "object" ? found : {};
  } catch {
    return {};
  }
}

// A result counts once: who has seen the answer has not solved it any more.
export function keep(puzzle, result) {
  const kept = results();
  if (!puzzle || FINAL.includes(kept[puzzle])) return;
  kept[puzzle] = result;
  const names = Object.keys(kept).sort((a, b) => a.slice(-10).localeCompare(b.slice(-10)));
  for (const old of names.slice(0, Math.max(0, names.length - MOST))) delete kept[old];
  localStorage.setItem(KEY, JSON.stringify(kept));
}

// For how many days in a row at least one puzzle was solved, up to today, or yesterday if today's are still to come.
export function streak(kept, today) {
  const solved = new Set(Object.keys(kept).filter((puzzle) => ["first", "solved"].includes(kept[puzzle])).map((puzzle) => puzzle.slice(-10)));
  const day = new Date(`${today}T00:00:00Z`);
  const back = () => day.setUTCDate(day.getUTCDate() - 1);
  const name = () => day.toISOString().slice(0, 10);
  if (!solved.has(name())) back();
  let days = 0;
  for (; solved.has(name()); back()) days++;
  return days;
}
