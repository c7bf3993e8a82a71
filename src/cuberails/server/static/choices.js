// What can be chosen now: as buttons, and as places on the board. It all comes from the server; no rules here.

import { get } from "./ask.js";
import { all, capital, find, make } from "./make.js";

const SVG = "http://www.w3.org/2000/svg";
const FEW = 5; // so many amounts get a button each, more get a stepper
const SHOWN = 8; // so many places are also shown as buttons at once
const RANGES = 4; // more ranges of amounts than this under one word share a stepper
const LINES = 12; // more lines than this under one word are picked word by word
const CROWD = 60; // more places than this are marked lightly

export function choosing(id, choose, reveal) {
  const list = find("#choices");
  const board = find("#board");
  const effect = find("#effect");
  const chooser = find("#chooser");
  const coarse = matchMedia("(pointer: coarse)");
  let places = new Map(); // key of a part of the board -> texts of the actions there
  let briefs = new Map(); // text of an action -> what it costs and brings, as short as can be
  let known = new Map(); // text of an action -> the same in sentences
  let wanted = "";
  let timer = 0;

  // Buttons

  function button(text, label = capital(text)) {
    const brief = briefs.get(text);
    const said = brief ? `${capital(text)}: ${brief}` : capital(text);
    const more = brief ? [make("small", {}, brief)] : [];
    return make("button", { "data-action": text, "aria-label": said, onclick: () => choose(text) }, label, ...more);
  }

  // A railroad and what follows it, with its chip from among the railroads.
  function named(text) {
    const begins = (node) => `${text} `.toLowerCase().startsWith(`${node.lastChild.textContent.trim().toLowerCase()} `);
    const title = all("#companies h3").find(begins);
    if (!title) return make("span", {}, text);
    const chip = title.firstElementChild.cloneNode(true);
    chip.setAttribute("aria-hidden", "true");
    return make("span", { class: "railroad" }, chip, text);
  }

  function one(word, line) {
    const rest = line.text.slice(word.length).trim();
    return button(line.text, rest ? named(rest) : capital(word));
  }

  function amounts(line) {
    const count = (line.to - line.from) / line.step + 1;
    return Array.from({ length: count }, (_, n) => line.from + n * line.step);
  }

  const phrase = (line, n) => `${line.head} ${n} ${line.tail}`.trim();

  // What a line of amounts is about: a railroad, and what follows the amount.
  const about = (word, line) => `${line.head.slice(word.length)} ${line.tail}`.trim();

  function few(word, line) {
    const name = about(word, line);
    const label = name ? [named(name)] : [];
    return make("span", { class: "few" }, ...label, ...amounts(line).map((n) => button(phrase(line, n), String(n))));
  }

  function stepper(lines, word) {
    let line = lines[0];
    const name = (l) => about(word, l) || capital(word);
    const number = make("input", { type: "number", inputmode: "numeric", "aria-label": "Amount", class: "amount" });
    const go = make("button", { class: "main" });
    const range = make("span", { class: "range" });
    const text = () => phrase(line, number.value);
    const valid = () => number.value !== "" && number.checkValidity();

    function label() {
      go.textContent = capital(text());
      go.dataset.action = text();
      go.disabled = !valid();
    }
    function pick(next) {
      line = next;
      Object.assign(number, { min: line.from, max: line.to, step: line.step, value: line.from });
      range.textContent = line.step > 1 ? `${line.from} to ${line.to}, by ${line.step}` : `${line.from} to ${line.to}`;
      label();
    }
    function by(sign) {
      if (sign > 0) number.stepUp();
      else number.stepDown();
      label();
      preview(text());
    }
    const enter = (event) => event.key === "Enter" && valid() && choose(text());
    number.addEventListener("input", () => (label(), valid() && preview(text())));
    number.addEventListener("keydown", enter);
    go.addEventListener("click", () => choose(text()));
    const which = make("select", { "aria-label": capital(word), onchange: (event) => pick(lines[event.target.value]) });
    which.append(...lines.map((l, n) => make("option", { value: n }, name(l))));
    const less = make("button", { class: "step", "aria-label": "Less", onclick: () => by(-1) }, "−");
    const more = make("button", { class: "step", "aria-label": "More", onclick: () => by(1) }, "+");
    const single = name(line) === capital(word) ? [] : [make("span", {}, name(line))];
    pick(line);
    return make("span", { class: "stepper" }, ...(lines.length > 1 ? [which] : single), less, number, more, go, range);
  }

  // Actions of many kinds, picked word by word: each list offers what can follow the words before it.
  function picker(word, texts) {
    const phrases = texts.map((text) => text.slice(word.length).trim().split(" "));
    const lists = make("span", { class: "row" });
    const go = make("button", { class: "main", onclick: () => choose(go.dataset.action) });

    function fill(wanted) {
      let left = phrases;
      const picked = [];
      lists.replaceChildren();
      for (let n = 0; left.some((words) => words.length > n); n++) {
        const offers = [...new Set(left.map((words) => words[n] ?? ""))];
        picked.push(offers.includes(wanted[n]) ? wanted[n] : offers[0]);
        left = left.filter((words) => (words[n] ?? "") === picked[n]);
        lists.append(offers.length > 1 ? menu(offers, picked, n) : make("span", {}, offers[0]));
      }
      go.dataset.action = [word, ...picked].join(" ").trim();
      go.textContent = capital(go.dataset.action);
    }
    function menu(offers, picked, n) {
      const list = make("select", { "aria-label": `${capital(word)}, word ${n + 1}` });
      list.append(...offers.map((offer) => make("option", { value: offer }, offer || "–")));
      list.value = picked[n];
      list.addEventListener("change", () => {
        fill([...picked.slice(0, n), list.value, ...picked.slice(n + 1)]);
        lists.children[n]?.focus();
        preview(go.dataset.action);
      });
      return list;
    }
    fill([]);
    return make("span", { class: "picker row" }, lists, go);
  }

  function onBoard(word, found) {
    const label = (text) => text.slice(word.length).trim() || capital(text);
    const buttons = found.map(({ text }) => button(text, label(text)));
    if (found.length <= SHOWN) return buttons;
    const summary = make("summary", {}, `${found.length} choices, marked on the board`);
    return [make("details", { class: "many" }, summary, make("div", { class: "row" }, ...buttons))];
  }

  function spread(line) {
    return line.ids.map((end, n) => ({ text: `${line.head} ${end}`, at: line.in + end, brief: line.briefs[n] }));
  }

  const textsOf = (line) => (line.text ? [line.text] : amounts(line).map((n) => phrase(line, n)));

  function unplaced(word, lines) {
    const ranges = lines.filter((line) => !line.text);
    const range = (line) => (amounts(line).length > FEW ? stepper([line], word) : few(word, line));
    const buttons = lines.filter((line) => line.text).map((line) => one(word, line));
    return [...buttons, ...(ranges.length > RANGES ? [stepper(ranges, word)] : ranges.map(range))];
  }

  function group({ word, lines }) {
    const placed = lines.flatMap((line) => (line.ids ? spread(line) : line.at ? [line] : []));
    const ranges = lines.filter((line) => line.step);
    const counted = ranges.flatMap((line) => line.briefs.map((brief, n) => ({ text: phrase(line, amounts(line)[n]), brief })));
    for (const { text, brief } of [...lines, ...placed, ...counted]) if (brief) briefs.set(text, brief);
    for (const { text, at } of placed) places.set(at, [...(places.get(at) || []), text]);
    const plain = lines.filter((line) => !line.ids && !line.at);
    const long = plain.length > LINES || plain.filter((line) => line.tail).length > RANGES;
    const offers = long ? [picker(word, plain.flatMap(textsOf))] : unplaced(word, plain);
    const inside = [...offers, ...onBoard(word, placed)];
    const alone = inside.length === 1 && lines.length === 1 && lines[0].text === word;
    const legend = alone ? [] : [make("h2", {}, capital(word))];
    return make("div", { class: alone ? "group alone" : "group" }, ...legend, make("div", { class: "row" }, ...inside));
  }

  // The board

  function aim(node) {
    const hex = find(".hex", node);
    if (hex) {
      const mark = hex.cloneNode();
      mark.setAttribute("transform", "scale(.9)");
      mark.removeAttribute("fill");
      hex.after(mark);
      return mark;
    }
    const line = find("path", node);
    const middle = line.getPointAtLength(line.getTotalLength() / 2);
    const mark = document.createElementNS(SVG, "circle");
    for (const [name, value] of Object.entries({ cx: middle.x, cy: middle.y, r: 13 })) mark.setAttribute(name, value);
    line.after(mark);
    return mark;
  }

  function mark(key, texts, first) {
    const node = document.getElementById(key);
    if (!node) return;
    aim(node).setAttribute("class", "aim");
    node.classList.add("target");
    node.setAttribute("tabindex", first ? "0" : "-1");
    node.setAttribute("role", "button");
    node.setAttribute("aria-label", `${find("title", node)?.textContent || key}. ${texts.map(capital).join(", or ")}`);
  }

  function unmark() {
    for (const node of all(".target", board)) {
      find(".aim", node)?.remove();
      node.classList.remove("target", "idea");
      for (const name of ["tabindex", "role", "aria-label"]) node.removeAttribute(name);
    }
  }

  // Make some of the choices stand out, wherever they are offered.
  function suggest(texts) {
    for (const node of all("[data-action]", list)) node.classList.toggle("idea", texts.includes(node.dataset.action));
    for (const [key, here] of places) {
      document.getElementById(key)?.classList.toggle("idea", here.some((text) => texts.includes(text)));
    }
  }

  function take(node) {
    const texts = places.get(node.id) || [];
    if (texts.length === 1 && !coarse.matches) choose(texts[0]);
    else if (texts.length) offer(node, texts);
  }

  function offer(node, texts) {
    const cancel = make("button", { class: "quiet", onclick: () => close(node) }, "Cancel");
    const title = make("p", {}, find("title", node)?.textContent || "");
    chooser.replaceChildren(title, ...texts.map((text) => button(text)), cancel);
    chooser.hidden = false;
    chooser.onkeydown = (event) => {
      if (event.key === "Escape") (event.stopPropagation(), close(node));
    };
    find("button", chooser).focus();
  }

  function close(node) {
    chooser.hidden = true;
    node?.focus();
  }

  // The nearest place that can be chosen in the direction of an arrow.
  function step(from, dx, dy) {
    const middle = (node) => {
      const r = node.getBoundingClientRect();
      return { x: r.left + r.width / 2, y: r.top + r.height / 2 };
    };
    const a = middle(from);
    let best = null;
    for (const node of all(".target", board)) {
      const b = middle(node);
      const along = (b.x - a.x) * dx + (b.y - a.y) * dy;
      const aside = Math.abs((b.x - a.x) * dy) + Math.abs((b.y - a.y) * dx);
      const cost = along + 2 * aside;
      if (node !== from && along > 1 && aside < 2.2 * along && (!best || cost < best.cost)) best = { node, cost };
    }
    if (!best) return;
    from.setAttribute("tabindex", "-1");
    best.node.setAttribute("tabindex", "0");
    best.node.focus({ preventScroll: true });
    reveal(best.node);
  }

  // What an action brings

  async function tell(text) {
    const lines = known.get(text) || (await get(`/api/tables/${id}/effect?action=${encodeURIComponent(text)}`));
    known.set(text, lines);
    if (wanted === text) effect.replaceChildren(make("b", {}, capital(text)), " ", ...lines.map((l) => make("span", {}, l)));
  }

  function preview(text) {
    wanted = text;
    clearTimeout(timer);
    timer = setTimeout(() => tell(text).catch(() => {}), 100);
  }

  function pointed(event) {
    const node = event.target.closest?.("[data-action], .target");
    if (!node) return;
    const texts = node.dataset.action ? [node.dataset.action] : places.get(node.id) || [];
    if (texts.length === 1) preview(texts[0]);
    else if (texts.length) showSeveral(texts);
  }

  function showSeveral(texts) {
    wanted = "";
    effect.replaceChildren(...texts.map((text) => make("span", {}, capital(text))));
  }

  for (const place of [list, board, chooser, find("#ideas")]) {
    place.addEventListener("pointerover", pointed);
    place.addEventListener("focusin", pointed);
  }
  board.addEventListener("click", (event) => {
    const node = event.target.closest(".target");
    if (node) take(node);
  });

  // For the others

  function show(you) {
    unmark();
    places = new Map();
    briefs = new Map();
    known = new Map();
    wanted = "";
    effect.replaceChildren();
    chooser.hidden = true;
    list.replaceChildren(...(you ? you.groups.map(group) : []));
    board.classList.toggle("crowded", places.size > CROWD);
    [...places].forEach(([key, here], n) => mark(key, here, n === 0));
    all("button:not(.step, .many button)", list).slice(0, 9).forEach((node, n) => (node.dataset.key = n + 1));
  }

  function wait(waiting) {
    list.classList.toggle("waiting", waiting);
    board.classList.toggle("waiting", waiting);
  }

  return { show, wait, take, step, suggest, press: (n) => find(`[data-key="${n}"]`, list)?.click() };
}
