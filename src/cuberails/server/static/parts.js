// Parts of the table: each is an element with its key as its id, and is replaced as a whole.

import { find } from "./make.js";

const SVG = "http://www.w3.org/2000/svg";
const HOMES = { seat: "#seats", company: "#companies", track: "#tracks", dice: "#dice-place", facts: "#facts-place" };

function parse(markup) {
  const box = markup.startsWith("<g") ? document.createElementNS(SVG, "svg") : document.createElement("div");
  box.innerHTML = markup;
  return box.firstElementChild;
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
  return dim(copy).outerHTML;
}
