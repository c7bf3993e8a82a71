// Parts of the table: each is an element with its key as its id, and is replaced as a whole.

import { all, find } from "./make.js";

const SVG = "http://www.w3.org/2000/svg";
const HOMES = { seat: "#seats", company: "#companies", track: "#tracks", dice: "#dice-place", facts: "#facts-place", sheet: "#sheets", reference: "#references" };

export function parse(markup) {
  const picture = markup.startsWith("<g");
  const box = picture ? document.createElementNS(SVG, "svg") : document.createElement("template");
  box.innerHTML = markup;
  return (picture ? box : box.content).firstElementChild;
}

function put(key, markup) {
  const old = document.getElementById(key);
  if (!markup) {
    old?.remove();
    return null;
  }
  const fresh = parse(markup);
  if (old) old.replaceWith(fresh);
  else find(HOMES[fresh.classList[0]] || "#map > svg").append(fresh);
  return fresh;
}

function dim(node) {
  node.classList.remove("fresh");
  if (!node.classList.length) node.removeAttribute("class");
  return node;
}

// Replace parts; the changed ones light up for a moment.
export function replace(parts, light = true) {
  for (const [key, markup] of Object.entries(parts)) {
    const fresh = put(key, markup);
    if (!fresh || !light) continue;
    fresh.classList.add("fresh");
    setTimeout(() => dim(fresh), 1800);
  }
}

// The markup of these parts as they stand, to be put back later.
export function keep(keys) {
  return Object.fromEntries(keys.map((key) => [key, clean(document.getElementById(key))]));
}

function clean(node) {
  if (!node) return "";
  const copy = node.cloneNode(true);
  unmark(copy);
  return dim(copy).outerHTML;
}

// Without the marks of what is new.
export function unmark(root = document) {
  for (const ring of all(".ring", root)) ring.remove();
  for (const node of all(".changed", root)) {
    node.classList.remove("changed");
    if (!node.classList.length) node.removeAttribute("class");
    delete node.dataset.delta;
  }
}
