// What a player has the table do unasked: the usual choice where most want it, and passing until something changes.

import { find, make } from "./make.js";
import { switched } from "./switches.js";

// What could be done, and at which prices, whoever asks.
const offer = (you) => JSON.stringify(you.groups);

export function automating(choose) {
  const box = find("#automatic");
  const usual = switched(find("[data-switch=usual]"));
  let passing = null; // what could be done when passing began; null while the player decides
  let held = false; // after going back, nothing is done unasked

  function show() {
    box.hidden = passing === null;
    if (passing === null) return;
    box.replaceChildren("Passing for you until something changes. ", make("button", { onclick: stop }, "Stop"));
  }

  function stop() {
    passing = null;
    show();
  }

  // The action to take now without asking; "" if the player decides.
  function answer(you) {
    if (!you || held) return "";
    if (passing !== null && passing === offer(you)) return "pass";
    if (passing !== null) stop();
    return usual() ? you.automatic : "";
  }

  function pass(you) {
    passing = offer(you);
    show();
    choose("pass");
  }

  return { answer, pass, stop, hold: (yes) => (held = yes) };
}
