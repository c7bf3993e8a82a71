// What a player has the table do unasked: the usual choice, where most want it.

import { find } from "./make.js";
import { switched } from "./switches.js";

export function automating() {
  const usual = switched(find("[data-switch=usual]"));
  let held = false; // after going back, nothing is done unasked

  // The action to take now without asking; "" if the player decides.
  const answer = (you) => (you && !held && usual() ? you.automatic : "");

  return { answer, hold: (yes) => (held = yes) };
}
