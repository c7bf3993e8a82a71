// Elements in one line: make("button", {class: "main", onclick}, "Play").

export function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

export const find = (selector, inside = document) => inside?.querySelector(selector);
export const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
