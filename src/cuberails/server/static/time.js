// Time travel: any moment of the game on the same board. The present is kept aside and put back.

import { get, post } from "./ask.js";
import { all, find } from "./make.js";
import { keep, replace } from "./parts.js";

const MANY = 10; // taking back more actions than this is asked about
const TAKE_BACK = "Go back to here";

export function travelling(id, table) {
  const slider = find("#moment");
  const when = find("#when");
  const past = find("#past");
  const told = find("#then");
  let present = {}; // parts that look different now
  let at = null; // the moment that is shown; null is the present
  let goal = null; // the moment that is asked for
  let asked = null; // the moment about which it was asked whether to take so much back
  let latest = 0; // grows when what is under way is not wanted any more
  let under_way = null; // the journey to a moment

  function back() {
    replace(present, false);
    present = {};
  }

  // Where the slider stands is where somebody has put it: what is shown follows as quickly as it can.
  function say() {
    if (asked !== null && asked !== at) ((asked = null), (find("[data-time=undo]").textContent = TAKE_BACK));
    const where = goal ?? at;
    slider.max = table.count;
    slider.value = where ?? table.count;
    slider.setAttribute("aria-valuetext", `${slider.value} of ${table.count} actions`);
    when.textContent = at === null ? "now" : `${at} of ${table.count}`;
    if (at === null) told.textContent = "";
    past.hidden = at === null;
    document.body.classList.toggle("past", at !== null);
    for (const item of all("#log li")) item.classList.toggle("here", at !== null && Number(item.dataset.n) === at);
    document.dispatchEvent(new CustomEvent("moment", { detail: where }));
  }

  function show(seen) {
    back();
    present = keep(Object.keys(seen.parts));
    replace(seen.parts, false);
    at = seen.count;
    told.textContent = seen.lines.join("; ") || "The start of the game";
    table.travelled(seen);
    history.replaceState(null, "", `#at=${at}`);
    say();
  }

  // One request at a time: moments that were passed while it was under way are left out.
  async function travel(mine) {
    let seen = null;
    while (mine === latest && seen?.count !== goal) {
      seen = await get(`/api/tables/${id}/at/${goal}`);
      if (mine === latest) show(seen);
    }
  }

  async function go(count) {
    if (count >= table.count) return now();
    goal = count;
    say();
    under_way ??= journey(latest);
    return under_way;
  }

  async function journey(mine) {
    try {
      await travel(mine);
    } catch (error) {
      if (mine === latest) ((goal = at), say());
      throw error;
    } finally {
      if (mine === latest) under_way = null;
    }
  }

  function leave() {
    latest++;
    under_way = null;
    back();
  }

  function now() {
    leave();
    const away = at !== null;
    at = goal = null;
    if (location.hash.startsWith("#at=")) history.replaceState(null, "", location.pathname);
    if (away) table.returned();
    say();
  }

  // Before news is put on the board, and after.
  function pause() {
    const held = goal ?? at;
    leave();
    return () => (held === null ? say() : go(Math.min(held, table.count)));
  }

  async function fork() {
    const fresh = await post("/api/tables", { fork: id, at: goal ?? at });
    location.href = fresh.page;
  }

  function follow() {
    const found = location.hash.match(/^#at=(\d+)$/);
    if (found) table.attempt(() => go(Number(found[1])));
  }

  // Much is taken back only by a second press, after it was said how much.
  async function takeBack() {
    const count = table.count - at;
    const button = find("[data-time=undo]");
    if (count <= MANY || asked === at) {
      await table.undo(at);
      return now();
    }
    asked = at;
    button.textContent = `Take back ${count} actions?`;
    return undefined;
  }

  const step = (by) => go(Math.max(0, (goal ?? table.count) + by));
  const turns = {
    first: () => go(0),
    back: () => step(-1),
    on: () => step(1),
    now,
    fork,
    link: () => table.copy(`${location.origin}${location.pathname}#at=${at}`),
    undo: takeBack,
  };
  for (const button of all("[data-time]")) button.addEventListener("click", () => table.attempt(turns[button.dataset.time]));
  slider.addEventListener("input", () => table.attempt(() => go(Number(slider.value))));
  addEventListener("hashchange", follow);
  follow();
  say();
  return { ...turns, go, pause, away: () => at !== null, shown: () => goal ?? at };
}
