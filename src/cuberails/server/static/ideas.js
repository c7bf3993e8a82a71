// Hints: what the strongest bot would do, how likely everybody is then to win, and why.

import { get } from "./ask.js";
import { capital, find, make } from "./make.js";
import { working } from "./work.js";

const percent = (chance) => (chance > 0 && chance < 0.005 ? "<1%" : `${Math.round(100 * chance)}%`);

const meter = (chance) => make("meter", { value: chance, "aria-hidden": "true" });

// At a table without help `refused` says why there are no hints: whoever comes there is told, and whoever asks.
export function advising({ id, names, no_help: refused }, choose, mark, note) {
  const box = find("#ideas");
  const button = find("[data-do=hint]");
  const work = working(box);
  let latest = 0; // what was asked about a position that is gone is not shown

  function busy(yes) {
    work.busy(yes);
    button.setAttribute("aria-busy", yes);
    button.setAttribute("aria-disabled", yes || Boolean(refused));
  }

  function clear() {
    latest++;
    busy(false);
    box.hidden = true;
    box.replaceChildren();
  }

  function idea({ action, chances, why }, seat) {
    const others = names.map((name, n) => (n === seat ? "" : `${name} ${percent(chances[n])}`)).filter(Boolean);
    return make(
      "li",
      {},
      make("button", { "data-action": action, onclick: () => choose(action) }, capital(action)),
      make("span", { class: "odds" }, meter(chances[seat]), ` wins ${percent(chances[seat])} `, make("small", {}, others.join(", "))),
      make("p", {}, `${capital(why)}.`),
    );
  }

  async function ask() {
    if (button.ariaBusy === "true") return;
    const mine = ++latest;
    box.hidden = false;
    box.replaceChildren(make("p", {}, "A strong bot is thinking about it…"));
    busy(true);
    try {
      const { seat, ideas } = await get(`/api/tables/${id}/hint`);
      if (mine !== latest) return;
      box.replaceChildren(make("h2", {}, "A strong bot would"), make("ol", {}, ...ideas.map((each) => idea(each, seat))));
      busy(false);
      mark(ideas.map((each) => each.action));
    } catch (error) {
      if (mine !== latest) return;
      clear();
      throw error;
    }
  }

  const told = `cuberails-no-help-${id}`;
  if (refused && !sessionStorage.getItem(told)) note(refused);
  if (refused) sessionStorage.setItem(told, "yes");
  return { ask: refused ? () => note(refused) : ask, clear, done: work.done };
}
