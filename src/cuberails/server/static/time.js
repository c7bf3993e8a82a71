// Time travel: any moment of the game on the same board. The present is kept aside and put back.

import { get, post } from "./ask.js";
import { all, find } from "./make.js";
import { keep, replace } from "./parts.js";

export function travelling(id, table) {
  const slider = find("#moment");
  const when = find("#when");
  const past = find("#past");
  let present = {}; // parts that look different now
  let at = null; // the moment that is shown; null is the present
  let goal = null; // the moment that is asked for
  let latest = 0; // the latest request wins

  function back() {
    replace(present, false);
    present = {};
  }

  function say() {
    slider.max = table.count;
    slider.value = at ?? table.count;
    slider.setAttribute("aria-valuetext", `${slider.value} of ${table.count} actions`);
    when.textContent = at === null ? "now" : `${at} of ${table.count}`;
    past.hidden = at === null;
    document.body.classList.toggle("past", at !== null);
    for (const item of all("#log li")) item.classList.toggle("here", at !== null && Number(item.dataset.n) === at);
  }

  async function go(count) {
    if (count >= table.count) return now();
    const mine = ++latest;
    goal = count;
    const seen = await get(`/api/tables/${id}/at/${count}`);
    if (mine !== latest) return undefined;
    back();
    present = keep(Object.keys(seen.parts));
    replace(seen.parts, false);
    at = count;
    table.travelled(seen);
    history.replaceState(null, "", `#at=${count}`);
    return say();
  }

  function now() {
    latest++;
    back();
    const away = at !== null;
    at = goal = null;
    if (location.hash.startsWith("#at=")) history.replaceState(null, "", location.pathname);
    if (away) table.returned();
    say();
  }

  // Before news is put on the board, and after.
  function pause() {
    const held = at;
    back();
    return () => (held === null ? say() : go(Math.min(held, table.count)));
  }

  async function fork() {
    const fresh = await post("/api/tables", { fork: id, at });
    location.href = fresh.page;
  }

  function follow() {
    const found = location.hash.match(/^#at=(\d+)$/);
    if (found) table.attempt(() => go(Number(found[1])));
  }

  const step = (by) => go(Math.max(0, (goal ?? table.count) + by));
  const turns = {
    first: () => go(0),
    back: () => step(-1),
    on: () => step(1),
    now,
    fork,
    link: () => table.copy(`${location.origin}${location.pathname}#at=${at}`),
    undo: () => table.undo(at).then(now),
  };
  for (const button of all("[data-time]")) button.addEventListener("click", () => table.attempt(turns[button.dataset.time]));
  slider.addEventListener("input", () => table.attempt(() => go(Number(slider.value))));
  addEventListener("hashchange", follow);
  follow();
  say();
  return { ...turns, pause, away: () => at !== null };
}
