// The log in plain words, the latest first. The earliest part of a long game comes when somebody wants to see it.

import { get } from "./ask.js";
import { all, find, make } from "./make.js";

export function logging(id, mine) {
  const list = find("#log");
  const filter = find("#filter");
  const more = find("#earlier");
  let earlier = Number(list.dataset.earlier); // so many steps from the start are not in the list

  function entry({ n, seat, lines, ordered }) {
    const mark = ordered ? [make("p", { class: "by" }, "by a standing order")] : [];
    const body = make("div", {}, ...lines.map((line) => make("p", {}, line)), ...mark);
    return make("li", { "data-n": n, "data-seat": seat }, make("a", { href: `#at=${n}` }, String(n)), body);
  }

  function sift() {
    for (const item of list.children) item.hidden = filter.value !== "" && item.dataset.seat !== filter.value;
    more.hidden = !earlier;
    more.textContent = `The ${earlier} steps before`;
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
    earlier = Math.min(earlier, update.shared);
    list.prepend(...update.news.map(entry).reverse());
    sift();
    divide();
  }

  async function load() {
    const steps = await get(`/api/tables/${id}/news?end=${earlier}`);
    list.append(...steps.slice(0, earlier).map(entry).reverse());
    earlier = 0;
    sift();
    divide();
  }

  // The same steps in the words of now, after somebody has got another name.
  async function renew() {
    if (!list.children.length) return;
    const steps = await get(`/api/tables/${id}/news?start=${earlier}`);
    const fresh = new Map(steps.map((step) => [String(step.n), step]));
    for (const item of all("li", list)) if (fresh.has(item.dataset.n)) item.replaceWith(entry(fresh.get(item.dataset.n)));
    sift();
    divide();
  }

  async function since() {
    if (earlier && mine.length && !divide()) await load();
    divide()?.scrollIntoView({ block: "center" });
  }

  filter.addEventListener("change", sift);
  sift();
  divide();
  return { tell, since, load, renew };
}
