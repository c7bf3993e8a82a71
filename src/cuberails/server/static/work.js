// How far somebody is who thinks: a thin bar at the foot of a box. It runs to and fro until the first figure comes.

import { make } from "./make.js";

export function working(box) {
  const bar = make("div", { class: "work", role: "progressbar", "aria-label": "Thinking", "aria-live": "off" });

  // Work begins, or ends.
  function busy(yes) {
    box.classList.toggle("busy", yes);
    bar.removeAttribute("aria-valuenow");
    bar.style.width = "";
    if (!yes) bar.remove();
    else if (!bar.isConnected) box.append(bar); // put there again it would start anew
  }

  // So much of it is done, from 0 to 1.
  function done(part) {
    bar.setAttribute("aria-valuenow", Math.round(100 * part));
    bar.style.width = `${100 * part}%`;
  }

  return { busy, done };
}
