// A small window beside the place that was pressed, with what can be done there.

import { find, make } from "./make.js";

const MARGIN = 8;

export function choosingBeside() {
  const box = find("#chooser");
  const small = matchMedia("(max-width: 700px)"); // there it comes up at the foot of the screen
  let from = null;

  function place() {
    box.style.left = box.style.top = "";
    if (small.matches) return;
    const at = from.getBoundingClientRect();
    const size = box.getBoundingClientRect();
    const right = at.right + MARGIN + size.width < innerWidth;
    const x = right ? at.right + MARGIN : at.left - MARGIN - size.width;
    const y = at.top + at.height / 2 - size.height / 2;
    box.style.left = `${Math.max(MARGIN, Math.min(x, innerWidth - size.width - MARGIN))}px`;
    box.style.top = `${Math.max(MARGIN, Math.min(y, innerHeight - size.height - MARGIN))}px`;
  }

  function open(node, title, content) {
    from = node;
    const cancel = make("button", { class: "quiet", onclick: () => close(true) }, "Cancel");
    box.replaceChildren(make("p", {}, title), ...content, cancel);
    box.hidden = false;
    place();
    find("input, button", box).focus();
  }

  function close(back = false) {
    if (box.hidden) return;
    box.hidden = true;
    if (back) from?.focus();
  }

  box.addEventListener("keydown", (event) => {
    if (event.key === "Escape") (event.stopPropagation(), close(true));
  });
  addEventListener("pointerdown", (event) => !box.contains(event.target) && !from?.contains(event.target) && close());
  return { open, close, box };
}
