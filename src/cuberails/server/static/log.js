// The log in plain words, the latest first.

import { all, find, make } from "./make.js";

export function logging(mine) {
  const list = find("#log");
  const filter = find("#filter");

  function entry({ n, seat, lines }) {
    const told = make("div", {}, ...lines.map((line) => make("p", {}, line)));
    return make("li", { "data-n": n, "data-seat": seat }, make("a", { href: `#at=${n}` }, String(n)), told);
  }

  function sift() {
    for (const item of list.children) item.hidden = filter.value !== "" && item.dataset.seat !== filter.value;
  }

  // A line between what I know and what the others did since.
  function divide() {
    find(".since", list)?.classList.remove("since");
    const last = [...list.children].find((item) => mine.includes(Number(item.dataset.seat)));
    if (last !== list.firstElementChild) last?.classList.add("since");
    return last;
  }

  function tell(update) {
    for (const item of all("li", list)) if (Number(item.dataset.n) > update.shared) item.remove();
    list.prepend(...update.news.map(entry).reverse());
    sift();
    divide();
  }

  filter.addEventListener("change", sift);
  divide();
  return { tell, since: () => divide()?.scrollIntoView({ block: "center" }) };
}
