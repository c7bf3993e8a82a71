// The puzzles of a day: which of them were solved in this browser, and for how many days in a row.

import { all, find } from "./make.js";
import { results, streak } from "./results.js";

const SAID = { first: "✓ Solved at the first try", solved: "✓ Solved", shown: "Answer seen", tried: "Tried" };
const page = find("main");
const kept = results();

for (const item of all("[data-puzzle]")) {
  const result = kept[`${item.dataset.puzzle} ${page.dataset.day}`];
  const line = find(".result", item);
  line.hidden = !result;
  line.textContent = SAID[result] ?? "";
  item.classList.toggle("solved", result === "first" || result === "solved");
}
const days = streak(kept, page.dataset.today);
find("#streak").hidden = days < 2;
find("#streak").textContent = `Solved on ${days} days in a row`;
