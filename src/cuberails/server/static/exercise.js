// A position to be solved: the table as it stood, what can be chosen, and the answer. Nothing that is chosen is played.

import { get, post } from "./ask.js";
import { choosing } from "./choices.js";
import { keyboard } from "./keys.js";
import { comparing } from "./ledger.js";
import { all, capital, find, make } from "./make.js";
import { keep } from "./results.js";
import { cited, linking, searching } from "./rules.js";
import { tabs } from "./tabs.js";
import { working } from "./work.js";
import { zooming } from "./zoom.js";

const BRIEF = 2; // so many sentences say what an action brings

const first = JSON.parse(find("main").dataset.first);
const { seat, names } = first;
const openTab = tabs(find(".tabs"), () => undefined);
const board = zooming(find("#viewport"));
const ledger = comparing([seat]);
const choices = choosing(first.path, (text) => attempt(() => choose(text)), board.reveal, ledger, () => undefined);
const box = find("#ideas");
const work = working(find(".prompt"));
let tries = 0;

searching(find("#panel-rules"));

const percent = (chance) => (chance > 0 && chance < 0.005 ? "<1%" : `${Math.round(100 * chance)}%`);
const press = (label, deed, kind) => make("button", { class: kind, onclick: () => attempt(deed) }, label);

async function attempt(deed) {
  const line = find("#refusal");
  line.hidden = true;
  try {
    await deed();
  } catch (error) {
    line.hidden = false;
    line.replaceChildren(...cited(error.message));
    if (!error.code) throw error;
  } finally {
    work.busy(false);
    choices.wait(false);
  }
}

// Choosing

async function choose(text) {
  choices.wait(true);
  work.busy(true);
  const answer = await get(`${first.path}/answer?action=${encodeURIComponent(text)}`);
  tries++;
  keep(first.puzzle, answer.solved ? (tries === 1 ? "first" : "solved") : "tried");
  show(answer.solved ? solution(answer, "Right") : wrong(answer));
  choices.suggest(answer.solved ? [answer.answer] : []);
}

async function reveal() {
  const answer = await get(`${first.path}/answer`);
  tries++;
  keep(first.puzzle, "shown");
  show(solution(answer, "The answer"));
  choices.suggest([answer.answer]);
}

function show(parts) {
  box.hidden = false;
  box.replaceChildren(...parts);
  box.focus({ preventScroll: true });
  box.scrollIntoView({ block: "nearest" });
}

// What is said

function odds(chances) {
  const others = names.map((name, n) => (n === seat ? "" : `${name} ${percent(chances[n])}`)).filter(Boolean);
  const meter = make("meter", { value: chances[seat], "aria-hidden": "true" });
  return make("span", { class: "odds" }, meter, ` wins ${percent(chances[seat])} `, make("small", {}, others.join(", ")));
}

function sentence(text) {
  return text ? [make("p", {}, `${capital(text).replace(/\.$/, "")}.`)] : [];
}

function wrong({ chosen, lost }) {
  const head = make("h2", {}, `“${capital(chosen.action)}” is not the best`);
  const loss = make("p", {}, `It leaves you a chance of ${percent(chosen.chances[seat])}, ${Math.max(1, Math.round(100 * lost))} points less than the best action. `);
  const again = make("p", { class: "row" }, "Choose again, or ", press("See the answer", reveal), practise());
  return [head, loss, again];
}

function solution({ chosen, ideas, line, played, answer }, exclamation) {
  const alike = chosen && chosen.action !== answer ? ` “${capital(chosen.action)}”: ${chosen.why}.` : "";
  const rest = line.length > 1 ? [make("p", { class: "line" }, "Likely: ", line.join(" · "))] : [];
  return [
    make("h2", {}, `${exclamation}: `, make("b", {}, capital(answer))),
    ...(alike ? [make("p", {}, alike)] : []),
    make("ol", {}, ...ideas.map((each) => idea(each, played))),
    ...rest,
    make("p", { class: "row" }, practise(), ...onwards()),
  ];
}

function idea({ action, chances, why, effect }, played) {
  const mine = action === played ? [make("small", {}, " as it was played")] : [];
  const brings = effect.length ? [make("p", { class: "effect" }, effect.slice(0, BRIEF).join(" · "))] : [];
  return make("li", {}, make("b", {}, capital(action), ...mine), odds(chances), ...sentence(why), ...brings);
}

function onwards() {
  const next = find(".next");
  return next ? [make("a", { class: "button main", href: next.href }, next.textContent)] : [];
}

function practise() {
  return press("Play on from here", playOn);
}

async function playOn() {
  const table = first.fork ?? { record: JSON.stringify((await get(first.path)).record) };
  location.href = (await post("/api/tables", table)).page;
}

// The rules

function read(number) {
  openTab("rules");
  const found = document.getElementById(`rule-${number}`);
  found?.scrollIntoView({ block: "start" });
  find("a", found || document)?.focus({ preventScroll: true });
}

find("#practise").addEventListener("click", () => attempt(playOn));
linking(read);
keyboard(
  { board, choices },
  {
    t: () => openTab("table"),
    "/": () => openTab("rules"),
  },
);

for (const node of all("#seats .seat")) node.classList.toggle("deciding", node.id === `seat-${seat}`);
choices.show(first.you);
if (matchMedia("(max-width: 600px)").matches) board.near();
document.body.classList.add("ready");
