// Cards over the board for what changes the game: a dividend, a scoring round, a new technology. The latest lies on top;
// one press or a key puts it away, and nothing behind is blocked. All of them can be read again.

import { get } from "./ask.js";
import { all, find, make } from "./make.js";
import { chip } from "./story.js";

const MOST = 40; // so many cards that were put away are remembered

export function dealing(id, names) {
  const box = find("#cards");
  const kept = `cuberails-cards-${id}`;
  let stack = []; // the cards that were not put away, the latest last
  let gone = JSON.parse(localStorage.getItem(kept) || "[]"); // the actions whose cards were put away

  const amount = (value, points) => (value ? (points ? String(value) : `$${value}`) : "–");

  // Who got what: a row for each source, a column for each seat. What nobody got takes a row too.
  function table(rows) {
    const { points } = rows[0];
    const paid = rows.filter((row) => row.amounts);
    const totals = names.map((_, seat) => paid.reduce((sum, row) => sum + (row.amounts[seat] ?? 0), 0));
    const cells = (amounts) => names.map((_, seat) => make("td", {}, amount(amounts[seat] ?? 0, points)));
    const rest = (row) => (row.amounts ? cells(row.amounts) : []);
    const head = (row) => make("th", { scope: "row", colspan: row.amounts ? 1 : names.length + 1 }, row.text);
    const body = rows.map((row) => make("tr", {}, head(row), ...rest(row)));
    if (paid.length > 1) body.push(make("tr", { class: "total" }, make("th", { scope: "row" }, "Together"), ...cells(totals)));
    const heads = names.map((name) => make("th", { scope: "col", title: name }, name));
    return make("table", {}, make("thead", {}, make("tr", {}, make("td"), ...heads)), make("tbody", {}, ...body));
  }

  // Sentences, and between them the table from the first payment to the last.
  function body(rows) {
    const paid = rows.flatMap((row, n) => (row.amounts ? [n] : []));
    const sentences = (some) => some.map((row) => make("p", {}, row.text));
    if (!paid.length) return sentences(rows);
    const [first, last] = [paid[0], paid.at(-1) + 1];
    return [...sentences(rows.slice(0, first)), table(rows.slice(first, last)), ...sentences(rows.slice(last))];
  }

  function heading(card, level) {
    return make(level, {}, ...card.chips.slice(0, 6).map(chip), " ", card.heading);
  }

  // Payments of one kind, railroad by railroad, go on one card: unless one is paid for the second time.
  function joins(card, before) {
    const known = before?.chips.map(([name]) => name) ?? [];
    return before?.heading === card.heading && card.chips.length > 0 && !card.chips.some(([name]) => known.includes(name));
  }

  function merged(cards, start = []) {
    const found = [...start];
    for (const card of cards) {
      const before = found.at(-1);
      if (joins(card, before)) {
        found[found.length - 1] = { ...card, chips: [...before.chips, ...card.chips], rows: [...before.rows, ...card.rows] };
      } else found.push(card);
    }
    return found;
  }

  function show() {
    const top = stack.at(-1);
    if (!top) return box.replaceChildren();
    const close = make("button", { class: "quiet", "aria-label": "Put this card away", title: "Put away (X)" }, "✕");
    const more = stack.length - 1;
    const foot = more
      ? [make("footer", {}, make("span", {}, `+${more} more`), make("button", { class: "quiet", onclick: clear }, "Put all away"))]
      : [];
    const card = make(
      "article",
      { class: more ? "card stacked" : "card", "data-n": top.n },
      make("header", {}, heading(top, "h2"), make("a", { href: `#at=${top.n}`, title: "To this moment" }, String(top.n)), close),
      make("div", { class: "told" }, ...body(top.rows)),
      ...foot,
    );
    card.addEventListener("click", (event) => !event.target.closest("a, footer") && pressed(card));
    box.replaceChildren(card);
    return settle();
  }

  function pressed(card) {
    if (card.classList.contains("small")) card.classList.remove("small");
    else away();
  }

  // A card lies where it covers nothing that can be chosen; where there is no such corner, only its heading is shown.
  function settle() {
    const card = find(".card", box);
    if (!card) return;
    card.classList.remove("small");
    const corners = [[], ["left"], ["low"], ["left", "low"]];
    const free = corners.some((corner) => {
      box.className = corner.join(" ");
      return !covers(card);
    });
    if (free) return;
    card.classList.add("small");
    corners.some((corner) => ((box.className = corner.join(" ")), !covers(card)));
  }

  function covers(card) {
    const own = card.getBoundingClientRect();
    return all("#board .target").some((target) => {
      const { left, right, top, bottom } = target.getBoundingClientRect();
      return left < own.right && right > own.left && top < own.bottom && bottom > own.top;
    });
  }

  function away() {
    const top = stack.pop();
    if (top) forget([top]);
    show();
    return Boolean(top);
  }

  function clear(event) {
    event?.stopPropagation();
    forget(stack);
    stack = [];
    show();
  }

  function forget(cards) {
    gone = [...gone, ...cards.map(({ n, heading }) => `${n} ${heading}`)].slice(-MOST);
    localStorage.setItem(kept, JSON.stringify(gone));
  }

  // News, of which `shared` actions were known before and were not taken back. Who acts has seen what was before
  // that, at the action `start`; who only watches is shown the latest.
  function add(cards, shared, start) {
    const fresh = cards.filter(({ n, heading }) => !gone.includes(`${n} ${heading}`));
    stack = merged(fresh, stack.filter((card) => card.n <= shared)).filter((card) => card.n > (start ?? 0));
    if (start === undefined) stack = stack.slice(-1);
    show();
  }

  // All cards of the game, the latest first.
  async function list() {
    const dialog = find("#events");
    const dealt = merged(await get(`/api/tables/${id}/cards`)).reverse();
    const told = dealt.map((card) =>
      make("li", {}, heading(card, "h3"), make("a", { href: `#at=${card.n}`, onclick: () => dialog.close() }, `moment ${card.n}`), ...body(card.rows)),
    );
    find("ol", dialog).replaceChildren(...(told.length ? told : [make("li", {}, "Nothing has changed the game yet.")]));
    dialog.showModal();
  }

  return { add, away, list, settle };
}
