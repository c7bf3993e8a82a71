// Panels behind tabs; arrow keys go from tab to tab.

import { all, find } from "./make.js";

export function tabs(list, opened) {
  const buttons = all("[role=tab]", list);
  function open(name) {
    for (const button of buttons) {
      const chosen = button.id === `tab-${name}`;
      button.setAttribute("aria-selected", chosen);
      button.tabIndex = chosen ? 0 : -1;
      find(`#${button.getAttribute("aria-controls")}`).hidden = !chosen;
    }
    opened(name);
  }
  buttons.forEach((button, n) => {
    button.addEventListener("click", () => open(button.id.slice(4)));
    button.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!by) return;
      event.stopPropagation();
      const next = buttons[(n + by + buttons.length) % buttons.length];
      next.click();
      next.focus();
    });
  });
  return open;
}
