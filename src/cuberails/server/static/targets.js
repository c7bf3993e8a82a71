// Places on the board that can be chosen: marked, lettered with who would build there, with price and gain.

import { all, find } from "./make.js";

const SVG = "http://www.w3.org/2000/svg";
const CROWD = 60; // more places than this are marked lightly

function draw(tag, attributes, text = "") {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.textContent = text;
  return node;
}

// A frame inside the hex, above everything in it; or a disc in the middle of a track.
function aim(node) {
  const hex = find(".hex", node);
  if (hex) {
    const mark = hex.cloneNode();
    mark.setAttribute("transform", "scale(.9)");
    mark.removeAttribute("fill");
    mark.setAttribute("class", "aim");
    (find(".home", node) ?? hex).after(mark);
    return mark;
  }
  const line = find("path", node);
  const middle = line.getPointAtLength(line.getTotalLength() / 2);
  const mark = draw("circle", { cx: middle.x, cy: middle.y, r: 13, class: "aim" });
  line.after(mark);
  return mark;
}

// What building there costs and brings, at the foot of the hex.
function tag(node, text) {
  const wide = Math.min(56, 8 + 5.3 * text.length);
  const box = draw("g", { class: "tag", "aria-hidden": "true" });
  box.append(
    draw("rect", { x: -wide / 2, y: 13.5, width: wide, height: 12.5, rx: 4 }),
    draw("text", { x: 0, y: 22.8, ...(text.length > 9 && { textLength: wide - 6, lengthAdjust: "spacingAndGlyphs" }) }, text),
  );
  node.append(box);
}

export function targeting(board) {
  // `places`: key of a part -> {texts, label, said}: the actions there, what the tag says, and what a screen reader says.
  function mark(places) {
    const crowded = places.size > CROWD;
    board.classList.toggle("crowded", crowded);
    let first = true;
    for (const [key, { label, said }] of places) {
      const node = document.getElementById(key);
      if (!node) continue;
      aim(node);
      if (label && !crowded && find(".hex", node)) tag(node, label);
      node.classList.add("target");
      node.setAttribute("tabindex", first ? "0" : "-1");
      node.setAttribute("role", "button");
      node.setAttribute("aria-label", `${find("title", node)?.textContent || key}. ${said}`);
      first = false;
    }
  }

  function unmark() {
    for (const node of all(".target", board)) {
      for (const extra of all(".aim, .tag", node)) extra.remove();
      node.classList.remove("target", "idea");
      for (const name of ["tabindex", "role", "aria-label"]) node.removeAttribute(name);
    }
  }

  // The nearest place that can be chosen in the direction of an arrow; null if there is none.
  function neighbour(from, dx, dy) {
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
    return best && best.node;
  }

  return { mark, unmark, neighbour };
}
