// The end of a game: why, who, where it came from, and the scores over time. Moving along the chart travels in time.

import { get, post } from "./ask.js";
import { all, find, make } from "./make.js";

const SVG = "http://www.w3.org/2000/svg";
const KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10, Home: -Infinity, End: Infinity };

// A chart as a slider along the game. `go` shows a moment; the last one is the present.
function sliding(node, go) {
  const { names, course, from, to, high } = JSON.parse(node.dataset.chart);
  const last = course.length - 1;
  const drawing = find("svg", node);
  const cursor = document.createElementNS(SVG, "line");
  let at = last;

  function follow(moment) {
    at = Math.min(moment ?? last, last);
    const x = from + ((to - from) * at) / Math.max(1, last);
    for (const [name, value] of Object.entries({ x1: x, x2: x, y1: 4, y2: high - 18 })) cursor.setAttribute(name, value);
    const scores = names.map((name, seat) => `${name} ${course[at][seat]}`).join(", ");
    const text = `${at} of ${last}: ${scores}`;
    find("output", node).textContent = text;
    node.setAttribute("aria-valuenow", at);
    node.setAttribute("aria-valuetext", text);
  }

  function to_moment(count) {
    const wanted = Math.max(0, Math.min(last, count));
    if (wanted === at) return;
    follow(wanted);
    go(wanted);
  }

  function pointed(event) {
    const { x } = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM().inverse());
    to_moment(Math.round(((x - from) / (to - from)) * last));
  }

  const named = { role: "slider", tabindex: 0, "aria-label": "Scores over time: moment of the game", "aria-valuemin": 0, "aria-valuemax": last };
  for (const [name, value] of Object.entries(named)) node.setAttribute(name, value);
  cursor.setAttribute("class", "cursor");
  drawing.append(cursor);
  drawing.addEventListener("pointerdown", (event) => (drawing.setPointerCapture(event.pointerId), pointed(event)));
  drawing.addEventListener("pointermove", (event) => drawing.hasPointerCapture(event.pointerId) && pointed(event));
  node.addEventListener("keydown", (event) => {
    if (!(event.key in KEYS) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    to_moment(at + KEYS[event.key]);
  });
  follow(null);
  return follow;
}

export function ending(id, { plays, go, fork, attempt }) {
  const box = find("#course");
  const followers = new Map(); // by the place that holds the chart
  let moment = null; // the one that is shown; null is the present

  async function fill(place) {
    place.innerHTML = await get(`/t/${id}/course`);
    const chart = find(".travel", place);
    if (!chart) return;
    followers.set(place, sliding(chart, (count) => attempt(() => go(count))));
    followers.get(place)(moment);
  }

  const press = (label, deed, kind, title) => make("button", { class: kind, title, onclick: () => attempt(deed) }, label);

  async function again() {
    location.href = (await post(`/api/tables/${id}/rematch`, {})).page;
  }

  function deeds(status) {
    const offers = plays && !status.rematch; // once somebody has opened it, its link stands at the prompt
    const rematch = offers ? [press("Rematch", again, "main", "The same people at a new table, in a new order")] : [];
    const practise = press("Practise from here", fork, "practise", "Open a new table from the moment that the chart shows");
    const record = make("a", { class: "button", href: `/api/tables/${id}/record.txt`, download: true }, "Record");
    const others = plays && status.bots.filter((bot) => !bot).length > 1;
    const another = others ? [make("a", { class: "button", href: `/#again=${id}` }, "Same people, another game")] : [];
    return make("p", { class: "row deeds" }, ...rematch, ...another, practise, record, make("a", { class: "button", href: "/" }, "Home"));
  }

  async function show(status) {
    if (!status.over) return box.replaceChildren();
    await fill(box);
    find(".why, .standings", box).before(deeds(status));
    return enable();
  }

  function enable() {
    for (const button of all(".practise", box)) button.disabled = moment === null;
  }

  document.addEventListener("moment", (event) => {
    moment = event.detail;
    for (const follow of followers.values()) follow(moment);
    enable();
  });
  return { show, fill };
}
