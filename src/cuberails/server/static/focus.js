// Keyboard players stay where they choose: on the board, near the last place, or among the buttons.

import { all, find } from "./make.js";

const middle = (node) => {
  const box = node.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
};

export function focusing() {
  let byKeys = false; // the player used the keyboard last
  let place = ""; // where: "board" or "choices"
  let last = { x: 0, y: 0 }; // the place on the board that was reached last

  addEventListener("keydown", () => (byKeys = true), { capture: true });
  addEventListener("pointerdown", () => (byKeys = false), { capture: true });
  addEventListener("focusin", ({ target }) => {
    if (target.closest("#chooser")) return; // it belongs to where it was opened
    const onBoard = target.closest("#board .target");
    if (onBoard) last = middle(onBoard);
    place = onBoard ? "board" : target.closest("#choices, #companies") ? "choices" : "";
  });

  function nearest() {
    const away = (node) => Math.hypot(middle(node).x - last.x, middle(node).y - last.y);
    return all("#board .target").sort((a, b) => away(a) - away(b))[0];
  }

  function restore() {
    const first = find("#choices input, #choices button:not(.step)");
    const next = (place === "board" && nearest()) || first || nearest();
    if (!next) return;
    if (next.matches(".target")) all("#board .target").forEach((node) => node.setAttribute("tabindex", node === next ? "0" : "-1"));
    next.focus({ preventScroll: true });
  }

  // Whether the focus is still where the player chose, or was lost with what stood there.
  function wanted() {
    const now = document.activeElement;
    return byKeys && place !== "" && (now === document.body || Boolean(now.closest("#board, #choices, #companies, #chooser")));
  }

  return { wanted, restore };
}
