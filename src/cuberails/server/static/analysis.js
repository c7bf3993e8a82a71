// Where a game was decided: the analysis is started and followed, and one travels through the decisions of the game.

import { get, post } from "./ask.js";
import { all, capital, find, make } from "./make.js";
import { sliding } from "./sliding.js";
import { travelling } from "./time.js";
import { zooming } from "./zoom.js";

const first = JSON.parse(find("main").dataset.first);
const { id, names, chances } = first;
const LOOK_AGAIN = 1000;
const percent = (chance) => `${Math.round(100 * chance)} %`;
const WORDS = {
  quick: { start: "Analyse: quick", title: "About a minute where nobody else is at the server" },
  deep: { start: "Analyse: deep", title: "Ten times as much is searched; it takes some minutes" },
};

function refuse(sentence) {
  find("#refusal").hidden = !sentence;
  find("#refusal").textContent = sentence;
}

function note(sentence) {
  const line = find("#note");
  line.textContent = sentence;
  line.hidden = false;
  clearTimeout(note.timer);
  note.timer = setTimeout(() => (line.hidden = true), 4000);
}

async function attempt(deed) {
  try {
    refuse("");
    await deed();
  } catch (error) {
    refuse(error.message);
    if (!error.code) throw error;
  }
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    note("Copied.");
  } catch {
    refuse(`Copy this link: ${text}`);
  }
}

// The analysis itself: started, and followed while it is under way

// Quick is offered as long as nothing is known, deep until it is complete.
function offer(progress) {
  const open = ["quick", "deep"].filter((budget) => !["running", "complete"].includes(progress[budget].state));
  const offered = open.filter((budget) => budget === "deep" || (!first.complete && progress.deep.state === "none"));
  const press = (budget, n) => {
    const { start, title } = WORDS[budget];
    const text = progress[budget].state === "failed" ? `Continue the ${budget} analysis` : first.complete ? "Search deeper" : start;
    return make("button", { class: n || budget === "deep" ? "" : "main", title, onclick: () => attempt(() => begin(budget)) }, text);
  };
  find("#start").hidden = !offered.length;
  find("#start").replaceChildren(...offered.map(press));
}

async function begin(budget) {
  follow(await post(`/api/tables/${id}/analysis`, { budget }));
}

function follow(progress) {
  const running = ["deep", "quick"].find((budget) => progress[budget].state === "running");
  const failed = ["deep", "quick"].find((budget) => progress[budget].state === "failed");
  offer(progress);
  if (failed && !running) refuse(`The ${failed} analysis was interrupted.`);
  const complete = ["deep", "quick"].find((budget) => progress[budget].state === "complete");
  if (complete && (!first.complete || first.shown !== complete)) return location.reload();
  show(running, running && progress[running]);
  if (running) setTimeout(() => attempt(look), LOOK_AGAIN);
  return undefined;
}

async function look() {
  try {
    follow(await get(`/api/tables/${id}/analysis/progress`));
  } catch (error) {
    if (error.code !== "offline") throw error;
    setTimeout(() => attempt(look), 5 * LOOK_AGAIN);
  }
}

function show(budget, how) {
  const box = find("#under-way");
  box.hidden = !budget;
  if (!budget) return;
  const part = how.total ? how.done / how.total : 0;
  const bar = find(".meter", box);
  for (const [name, value] of Object.entries({ role: "progressbar", "aria-label": "Analysis", "aria-valuemin": 0, "aria-valuemax": how.total, "aria-valuenow": how.done })) bar.setAttribute(name, value);
  if (!find("span", bar)) bar.append(make("span"));
  find("span", bar).style.width = `${100 * part}%`;
  const words = `${capital(budget)} analysis under way`;
  const line = find("p", box);
  if (!line.textContent.startsWith(words)) line.textContent = `${words}. You can leave this page; it continues.`;
  bar.setAttribute("aria-valuetext", `${how.done} of ${how.total} decisions`);
}

// Moments and decisions

function exploring() {
  const rows = new Map(all(".decisions li").map((row) => [Number(row.dataset.at), row]));
  const table = { count: first.count, travelled, returned, attempt, copy, undo: () => {} };
  const odds = (at) => names.map((name, seat) => `${name} ${percent(chances[at][seat])}`).join(", ");
  const slider = { label: "Chances to win over time: moment of the game", last: first.count, words: odds, output: find("#chances output") };
  zooming(find("#viewport"));
  const slide = sliding(find("#chances"), slider, (at) => attempt(() => time.go(at)));
  document.addEventListener("moment", (event) => select(event.detail ?? first.count));
  const time = travelling(id, table);

  function travelled(then) {
    const who = then.actor >= 0 ? `${names[then.actor]}: ` : "";
    find("#asked-then").textContent = `${who}${then.prompt}`;
  }

  function returned() {
    find("#asked-then").textContent = "The end of the game";
  }

  function select(at) {
    slide(at);
    for (const row of rows.values()) row.removeAttribute("aria-current");
    const row = rows.get(at);
    row?.setAttribute("aria-current", "step");
    if (row) reveal(row);
    find("#said").replaceChildren(...(row ? told(row) : []));
    find("#odds").replaceChildren(...names.map((name, seat) => make("li", {}, `${name} `, make("b", {}, percent(chances[at][seat])))));
    filter();
  }

  // The list scrolls by itself, and the page stays where it is.
  function reveal(row) {
    row.hidden = false;
    const list = row.parentElement;
    const below = row.offsetTop + row.offsetHeight - list.clientHeight;
    list.scrollTop = Math.max(below, Math.min(list.scrollTop, row.offsetTop));
  }

  function told(row) {
    const what = [`${find(".did", row).textContent}: ${row.dataset.verdict}`, find(".lost", row).textContent];
    const verdict = make("p", { class: "label" }, what.filter(Boolean).join(", "));
    return [verdict, ...[...find(".more", row).children].map((part) => part.cloneNode(true))];
  }

  function wanted(row) {
    const seat = find("#of-seat").value;
    const which = find("#of-verdict").value;
    const lost = ["slip", "mistake", "turning point"].includes(row.dataset.verdict);
    const decisive = "decisive" in row.dataset;
    return (!seat || row.dataset.seat === seat) && (!which || decisive || (which === "lost" && lost));
  }

  // What is shown stays in the list, whatever is wanted there.
  function filter() {
    const shown = [...rows.values()].filter((row) => !(row.hidden = !wanted(row) && !row.hasAttribute("aria-current")));
    find("#none").hidden = shown.some(wanted);
    find("#none").textContent = find("#of-verdict").value === "turning" ? "No single decision decided it." : "There is none.";
  }

  // To the next decision of those that are wanted, or the one before.
  function step(by) {
    const here = time.shown() ?? first.count;
    const moments = [...rows].filter(([, row]) => wanted(row)).map(([at]) => at);
    const next = by > 0 ? moments.find((at) => at > here) : moments.findLast((at) => at < here);
    if (next !== undefined) attempt(() => time.go(next));
  }

  for (const button of all("[data-step]")) button.addEventListener("click", () => step(Number(button.dataset.step)));
  for (const choice of all("#of-seat, #of-verdict")) choice.addEventListener("change", filter);
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
    const keys = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), "[": () => attempt(time.back), "]": () => attempt(time.on) };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
  const turned = all(".decisions [data-decisive]");
  if (!turned.length) find("#of-verdict").value = "lost";
  returned();
  select(time.shown() ?? first.count);
  if (!location.hash && turned.length) attempt(() => time.go(Number(turned[0].dataset.at)));
}

for (const button of all("[data-copy]")) button.addEventListener("click", () => copy(location.origin + button.dataset.copy));
if (first.shown) exploring();
follow(first.progress);
document.body.classList.add("ready");
