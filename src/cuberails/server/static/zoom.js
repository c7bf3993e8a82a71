// The board: zoom and pan by changing the part of the drawing that is shown.

import { all, find } from "./make.js";

const MOST = 8;

export function zooming(viewport) {
  const svg = find("svg", viewport);
  const whole = box(svg.getAttribute("viewBox").split(" ").map(Number));
  let shown = { ...whole };
  const fingers = new Map();
  let moved = false;

  function box([x, y, w, h]) {
    return { x, y, w, h };
  }

  function show(next) {
    const w = Math.min(whole.w, Math.max(whole.w / MOST, next.w));
    const h = (w * whole.h) / whole.w;
    const x = Math.min(Math.max(next.x, whole.x), whole.x + whole.w - w);
    const y = Math.min(Math.max(next.y, whole.y), whole.y + whole.h - h);
    shown = { x, y, w, h };
    svg.setAttribute("viewBox", `${x} ${y} ${w} ${h}`);
    viewport.classList.toggle("zoomed", w < whole.w);
  }

  // Where on the drawing a point of the screen is.
  function point(x, y) {
    return new DOMPoint(x, y).matrixTransform(svg.getScreenCTM().inverse());
  }

  function zoom(factor, at = { x: shown.x + shown.w / 2, y: shown.y + shown.h / 2 }) {
    const w = Math.min(whole.w, Math.max(whole.w / MOST, shown.w / factor));
    const scale = w / shown.w;
    show({ x: at.x - (at.x - shown.x) * scale, y: at.y - (at.y - shown.y) * scale, w });
  }

  const pan = (dx, dy) => show({ ...shown, x: shown.x + dx * shown.w, y: shown.y + dy * shown.h });

  // Everything that can be chosen, with some air around it.
  function near() {
    const rects = all(".target", svg).map((node) => node.getBoundingClientRect());
    if (!rects.length) return show(whole);
    const low = point(Math.min(...rects.map((r) => r.left)), Math.min(...rects.map((r) => r.top)));
    const high = point(Math.max(...rects.map((r) => r.right)), Math.max(...rects.map((r) => r.bottom)));
    const w = 1.25 * Math.max(high.x - low.x, ((high.y - low.y) * whole.w) / whole.h, whole.w / 4);
    const h = (w * whole.h) / whole.w;
    return show({ x: (low.x + high.x - w) / 2, y: (low.y + high.y - h) / 2, w });
  }

  // Keeps a place in sight that the keyboard has reached.
  function reveal(node) {
    const r = node.getBoundingClientRect();
    const middle = point(r.left + r.width / 2, r.top + r.height / 2);
    const inside = (at, start, size) => at > start + size * 0.08 && at < start + size * 0.92;
    if (inside(middle.x, shown.x, shown.w) && inside(middle.y, shown.y, shown.h)) return;
    show({ ...shown, x: middle.x - shown.w / 2, y: middle.y - shown.h / 2 });
  }

  function wheel(event) {
    if (event.ctrlKey || event.metaKey) return; // that zooms the page
    const out = event.deltaY > 0;
    if (out && shown.w >= whole.w) return; // the page scrolls on
    event.preventDefault();
    zoom(Math.exp(-Math.max(-120, Math.min(120, event.deltaY)) / 300), point(event.clientX, event.clientY));
  }

  function down(event) {
    if (event.button) return;
    if (!fingers.size) moved = false;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  function move(event) {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    if (fingers.size === 1 && !moved && Math.hypot(now.x - before.x, now.y - before.y) < 6) return;
    if (!moved) viewport.setPointerCapture(event.pointerId);
    moved = true;
    if (fingers.size === 2) pinch(event.pointerId, before, now);
    else drag(before, now);
    fingers.set(event.pointerId, now);
  }

  function drag(before, now) {
    const from = point(before.x, before.y);
    const to = point(now.x, now.y);
    show({ ...shown, x: shown.x + from.x - to.x, y: shown.y + from.y - to.y });
  }

  function pinch(id, before, now) {
    const other = [...fingers].find(([key]) => key !== id)[1];
    const reach = (p) => Math.hypot(p.x - other.x, p.y - other.y);
    zoom(reach(now) / Math.max(1, reach(before)), point((now.x + other.x) / 2, (now.y + other.y) / 2));
  }

  const up = (event) => fingers.delete(event.pointerId);

  viewport.addEventListener("wheel", wheel, { passive: false });
  viewport.addEventListener("pointerdown", down);
  viewport.addEventListener("pointermove", move);
  viewport.addEventListener("pointerup", up);
  viewport.addEventListener("pointercancel", up);
  viewport.addEventListener("pointerleave", (event) => !moved && up(event));
  viewport.addEventListener("click", (event) => moved && event.stopPropagation(), { capture: true });

  const turns = { in: () => zoom(1.5), out: () => zoom(1 / 1.5), all: () => show(whole), near };
  for (const button of all("[data-zoom]")) button.addEventListener("click", turns[button.dataset.zoom]);
  return { ...turns, pan, reveal };
}
