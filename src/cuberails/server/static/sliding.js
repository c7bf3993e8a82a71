// A chart as a slider along the game: the pointer and the keyboard lead to moments. Its drawings, of which one is seen,
// say where they begin and end.

import { all } from "./make.js";

const SVG = "http://www.w3.org/2000/svg";
const KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10, Home: -Infinity, End: Infinity };

// `go` shows a moment; the last one is the present. `words` says how it stands there. What is returned follows a moment.
export function sliding(node, { label, last, words, output }, go) {
  const drawings = all("svg", node).map((svg) => ({ svg, from: Number(svg.dataset.from), to: Number(svg.dataset.to), cursor: line(svg) }));
  let at = last;

  function line(svg) {
    const cursor = document.createElementNS(SVG, "line");
    cursor.setAttribute("class", "cursor");
    cursor.setAttribute("y1", svg.dataset.top ?? 4);
    cursor.setAttribute("y2", svg.viewBox.baseVal.height - 18);
    svg.append(cursor);
    return cursor;
  }

  function follow(moment) {
    at = Math.min(moment ?? last, last);
    for (const { from, to, cursor } of drawings) {
      const x = from + ((to - from) * at) / Math.max(1, last);
      cursor.setAttribute("x1", x);
      cursor.setAttribute("x2", x);
    }
    const text = `${at} of ${last}: ${words(at)}`;
    output.textContent = text;
    node.setAttribute("aria-valuenow", at);
    node.setAttribute("aria-valuetext", text);
  }

  function to_moment(count) {
    const wanted = Math.max(0, Math.min(last, count));
    if (wanted === at) return;
    follow(wanted);
    go(wanted);
  }

  function pointed({ svg, from, to }, event) {
    const { x } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    to_moment(Math.round(((x - from) / (to - from)) * last));
  }

  const named = { role: "slider", tabindex: 0, "aria-label": label, "aria-valuemin": 0, "aria-valuemax": last };
  for (const [name, value] of Object.entries(named)) node.setAttribute(name, value);
  for (const drawing of drawings) {
    drawing.svg.addEventListener("pointerdown", (event) => (drawing.svg.setPointerCapture(event.pointerId), pointed(drawing, event)));
    drawing.svg.addEventListener("pointermove", (event) => drawing.svg.hasPointerCapture(event.pointerId) && pointed(drawing, event));
  }
  node.addEventListener("keydown", (event) => {
    if (!(event.key in KEYS) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    to_moment(at + KEYS[event.key]);
  });
  follow(null);
  return follow;
}
