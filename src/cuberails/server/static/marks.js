// What has changed since my last move stays marked on the board and in the tables until I decide: a ring on new cubes,
// "+4" beside a figure. And when motion is wanted, cubes drop, pawns slide and money rises.

import { get } from "./ask.js";
import { all, find, make } from "./make.js";
import { parse, unmark } from "./parts.js";

const SVG = "http://www.w3.org/2000/svg";
const still = matchMedia("(prefers-reduced-motion: reduce)");
const SHORT = { duration: 450, easing: "cubic-bezier(.2,.7,.3,1)" };

// What stands in a part: cubes, pawns, counters, track, and chips on a track of boxes, each by its look.
function pieces(node) {
  const drawn = all("use[href^='#cube-'], use[href^='#pawn-'], use[href^='#counter-']", node).map((use) => [use.getAttribute("href"), use.parentNode]);
  const track = all(".bed", node).map((path) => ["track", path]);
  const chips = node.matches("li") ? all(".chip", node).map((sign) => [sign.className.replace("changed", "").trim() + sign.textContent, sign]) : [];
  return [...drawn, ...track, ...chips];
}

function facts(node) {
  return new Map(all("[data-fact]", node).map((cell) => [cell.dataset.fact, cell]));
}

const number = (text) => {
  const found = text.replaceAll(",", "").match(/^\s*([-−]?)\$?(\d+(\.\d+)?)/);
  return found ? Number(found[2]) * (found[1] ? -1 : 1) : null;
};

// The pieces of a part that were not there before: of several that look the same, the last.
function fresh(now, before) {
  const left = new Map();
  for (const [look] of before ? pieces(before) : []) left.set(look, (left.get(look) ?? 0) + 1);
  return pieces(now).filter(([look]) => {
    const count = left.get(look) ?? 0;
    left.set(look, count - 1);
    return count <= 0;
  });
}

// The figures of a part that are others now: the cell, and by how much.
function changed(now, before) {
  const old = before ? facts(before) : new Map();
  return [...facts(now)].flatMap(([label, cell]) => {
    const was = old.get(label)?.textContent;
    if (was === undefined || was === cell.textContent) return [];
    const [a, b] = [number(was), number(cell.textContent)];
    const counted = a !== null && b !== null && a !== b && !cell.textContent.includes("."); // rates are marked only: they fill a table
    return [[cell, counted ? `${b > a ? "+" : "−"}${Math.abs(b - a)}` : ""]];
  });
}

function ring(place) {
  if (place.namespaceURI !== SVG || place.tagName === "path") return place.classList.add("changed");
  const circle = document.createElementNS(SVG, "circle");
  circle.setAttribute("class", "ring");
  circle.setAttribute("r", "15");
  return place.append(circle);
}

export function marking(id) {
  let start = null; // after how many actions I acted last
  let base = new Map(); // how the parts looked then that have changed since, as markup
  let wanted = null; // the moment that is to be recalled
  let under_way = false; // whether one is
  let shown = true;

  function show() {
    unmark();
    shown = true;
    for (const [key, markup] of base) {
      const now = document.getElementById(key);
      if (!now) continue;
      const before = markup ? parse(markup) : null;
      for (const [, place] of fresh(now, before)) ring(place);
      for (const [cell, delta] of changed(now, before)) {
        cell.classList.add("changed");
        cell.dataset.delta = delta;
      }
    }
  }

  function hide() {
    unmark();
    shown = false;
  }

  // How the table looked when I acted last. One request at a time, and only for the last such moment: where news comes
  // quickly, requests in a row would keep what the player does waiting behind them.
  async function recall(moment) {
    wanted = moment;
    if (under_way) return;
    under_way = true;
    while (wanted !== null) {
      const from = wanted;
      const seen = await get(`/api/tables/${id}/at/${from}`).catch(() => ({ parts: {} })); // marks are no reason to complain
      if (from !== wanted) continue;
      wanted = null;
      base = new Map([...base, ...Object.entries(seen.parts)]);
      if (shown) show();
    }
    under_way = false;
  }

  // Before news is put on the table: how the parts look that will change, and where their pieces are.
  function before(keys) {
    unmark();
    const old = new Map(keys.map((key) => [key, document.getElementById(key)]));
    const places = [...old.values()].flatMap((node) => (node ? pieces(node).map(([look, place]) => [look, place.getBoundingClientRect()]) : []));
    return (story, count) => after(story, count, old, places);
  }

  function after(story, count, old, places) {
    const known = start === story?.start;
    start = story?.start ?? null;
    if (start === null || start === count) ((base = new Map()), (wanted = null));
    else if (!known) ((base = new Map()), recall(start));
    else remember(old);
    if (!still.matches && !document.hidden) move(old, places);
    if (shown) show();
  }

  function remember(old) {
    for (const [key, node] of old) if (!base.has(key)) base.set(key, node?.outerHTML ?? "");
  }

  function begin(story, count) {
    start = story?.start ?? null;
    if (start !== null && start < count) recall(start);
  }

  return { before, begin, show, hide };
}

// Motion

// Cubes drop into place, pieces that stood elsewhere slide from there, and money rises beside its figure.
function move(old, places) {
  const left = [...places];
  for (const [key, before] of old) {
    const now = document.getElementById(key);
    if (!now || !now.isConnected) continue;
    for (const [look, place] of fresh(now, before)) {
      const from = left.findIndex(([other]) => other === look && !look.startsWith("#cube-"));
      slide(place, from < 0 ? null : left.splice(from, 1)[0][1]);
    }
    if (now.matches(".seat")) for (const [cell, delta] of changed(now, before)) if (delta) rise(cell, delta);
  }
}

function slide(place, from) {
  const to = place.getBoundingClientRect();
  if (!to.width) return;
  const scale = place.ownerSVGElement ? place.getScreenCTM().a || 1 : 1;
  const [x, y] = from ? [(from.x - to.x) / scale, (from.y - to.y) / scale] : [0, -22];
  const start = { transform: `translate(${x}px, ${y}px)`, opacity: from ? 1 : 0, composite: "add" };
  place.animate([start, { transform: "translate(0px, 0px)", opacity: 1, composite: "add" }], SHORT);
}

function rise(cell, delta) {
  const box = cell.getBoundingClientRect();
  if (!box.width) return;
  const note = make("span", { class: "rising", "aria-hidden": "true" }, delta);
  note.style.left = `${box.left}px`;
  note.style.top = `${box.top}px`;
  find("body").append(note);
  const flight = note.animate([{ opacity: 1, transform: "none" }, { opacity: 0, transform: "translateY(-26px)" }], { duration: 600, easing: "ease-out" });
  flight.onfinish = () => note.remove();
}
