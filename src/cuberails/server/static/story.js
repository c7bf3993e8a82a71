// What happened since my last move, in a few lines under the prompt, each a link to its moment. It stays until I act.

import { get } from "./ask.js";
import { all, find, make } from "./make.js";

export function chip([name, letter, color]) {
  return make("span", { class: `chip c-${color}`, title: name }, letter);
}

export function telling(id) {
  const box = find("#since");
  let told = null; // what the strip says
  let open = false; // whether every step is listed

  function line({ n, chip: sign, text }) {
    return make("li", {}, make("a", { href: `#at=${n}` }, ...(sign ? [chip(sign), " "] : []), text));
  }

  // Every step, as the log tells it.
  async function everything(list) {
    const steps = await get(`/api/tables/${id}/news?start=${told.start}`);
    list.replaceChildren(...steps.map(({ n, lines }) => make("li", {}, make("a", { href: `#at=${n}` }, lines.join("; ")))));
  }

  function expander(count) {
    const list = make("ol", { class: "every" });
    const details = make("details", { open }, make("summary", {}, `All ${count} steps`), list);
    details.addEventListener("toggle", () => {
      open = details.open;
      if (open) everything(list);
    });
    return details;
  }

  function show(story, count) {
    const text = JSON.stringify(story);
    if (told && text === JSON.stringify(told)) return;
    told = story;
    box.hidden = !story || !(story.lines.length || story.again);
    if (box.hidden) return;
    const steps = count - story.start;
    box.replaceChildren(
      make("h2", {}, story.start ? "Since your move" : "So far"),
      make(
        "div",
        {},
        ...(story.again ? [make("p", { class: "again" }, story.again)] : []),
        make("ol", { class: "turns" }, ...story.lines.map(line)),
        ...(steps > story.lines.length ? [expander(steps)] : []),
      ),
    );
  }

  // The line of the moment that is shown.
  function point(at) {
    for (const link of all("a", box)) link.classList.toggle("here", at !== null && link.getAttribute("href") === `#at=${at}`);
  }

  return { show, point };
}
