// Panels behind tabs; arrow keys go from tab to tab.

import { all, find } from "./make.js";

export function tabs(list, opened) {
  const buttons = all("[role=tab]", list);
  const pinned = new Set();
  const panel = (button) => document.getElementById(button.getAttribute("aria-controls"));
  function open(name) {
    if (pinned.has(find(`#tab-${name}`, list))) return panel(find(`#tab-${name}`, list)).focus();
    for (const button of buttons) {
      const chosen = button.id === `tab-${name}`;
      button.setAttribute("aria-selected", chosen);
      button.tabIndex = chosen ? 0 : -1;
      panel(button).hidden = !chosen && !pinned.has(button);
    }
    return opened(name);
  }
  buttons.forEach((button) => {
    button.addEventListener("click", () => open(button.id.slice(4)));
    button.addEventListener("keydown", (event) => {
      const seen = buttons.filter((each) => !each.hidden);
      const at = seen.indexOf(button);
      const next = seen.at({ ArrowLeft: at - 1, ArrowRight: (at + 1) % seen.length, Home: 0, End: -1 }[event.key] ?? at);
      if (next === button) return;
      event.preventDefault();
      event.stopPropagation();
      next.click();
      next.focus();
    });
  });

  // While there is `room`, the panel of a tab stands elsewhere and is always seen, and needs no tab.
  open.pin = (name, place, room) => {
    const button = find(`#tab-${name}`, list);
    const home = panel(button).parentElement;
    const next = panel(button).nextElementSibling;
    function settle() {
      if (room.matches) {
        pinned.add(button);
        find(place).append(panel(button));
        if (button.getAttribute("aria-selected") === "true") open(buttons[0].id.slice(4));
      } else {
        pinned.delete(button);
        home.insertBefore(panel(button), next);
      }
      button.hidden = room.matches;
      panel(button).hidden = !room.matches && button.getAttribute("aria-selected") !== "true";
    }
    room.addEventListener("change", settle);
    settle();
  };
  return open;
}
