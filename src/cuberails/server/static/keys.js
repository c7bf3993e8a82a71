// Single keys. They are silent while somebody types.

import { find } from "./make.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// In a field for numbers letters mean nothing, so they stay commands there; not in a window, which Escape closes.
function typing(event) {
  const node = event.target;
  if (node.closest("dialog")) return true;
  if (node.matches("input[type=number]")) return /^([-+.,e\d]|Arrow.*)$/.test(event.key);
  return node.matches("input:not([type=range]), textarea, select") || node.closest("#chooser");
}

function arrow(event, { board, choices }) {
  const [dx, dy] = ARROWS[event.key];
  const target = event.target.closest(".target");
  if (target) choices.step(target, dx, dy);
  else if (event.target.id === "viewport") board.pan(dx * 0.15, dy * 0.15);
  else return;
  event.preventDefault();
}

// What is the same wherever a position stands and something is to be chosen in it.
function position({ board }) {
  return {
    "+": board.in,
    "=": board.in,
    "-": board.out,
    0: board.all,
    z: board.near,
    b: () => (find("#board .target[tabindex='0']") || find("#viewport")).focus(),
    c: () => find("#choices input, #choices summary, #choices button:not(.step)")?.focus(),
  };
}

export function keyboard(parts, own) {
  const commands = { ...position(parts), ...own };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event)) return;
    if (event.key in ARROWS) arrow(event, parts);
    else if ((event.key === "Enter" || event.key === " ") && event.target.closest(".target")) {
      event.preventDefault();
      parts.choices.take(event.target.closest(".target"));
    } else if (/^[1-9]$/.test(event.key)) parts.choices.press(event.key);
    else if (commands[event.key.toLowerCase()]) {
      event.preventDefault();
      commands[event.key.toLowerCase()]();
    }
  });
}
