// The end of a game: why, who, where it came from, and the scores over time. Moving along the chart travels in time; an analysis says where it was decided.

import { get, post } from "./ask.js";
import { all, find, make } from "./make.js";
import { sliding } from "./sliding.js";

// The chart of the scores as a slider along the game.
function travel(node, go) {
  const { names, course, from, to } = JSON.parse(node.dataset.chart);
  Object.assign(find("svg", node).dataset, { from, to });
  const words = (at) => names.map((name, seat) => `${name} ${course[at][seat]}`).join(", ");
  const slider = { label: "Scores over time: moment of the game", last: course.length - 1, words, output: find("output", node) };
  return sliding(node, slider, go);
}

// `standings` is the page where a rated game counts.
export function ending(id, { plays, company, standings, go, fork, attempt }) {
  const box = find("#course");
  const followers = new Map(); // by the place that holds the chart
  let moment = null; // the one that is shown; null is the present

  async function fill(place) {
    place.innerHTML = await get(`/t/${id}/course`);
    const chart = find(".travel", place);
    if (!chart) return;
    followers.set(place, travel(chart, (count) => attempt(() => go(count))));
    followers.get(place)(moment);
  }

  const press = (label, deed, kind, title) => make("button", { class: kind, title, onclick: () => attempt(deed) }, label);

  async function again() {
    location.href = (await post(`/api/tables/${id}/rematch`, {})).page;
  }

  // A quick analysis is started, unless somebody has done so; its page shows how far it is.
  async function analyse() {
    await post(`/api/tables/${id}/analysis`, { budget: "quick" });
    location.href = `/t/${id}/analysis`;
  }

  function deeds(status) {
    const offers = plays && !status.rematch; // once somebody has opened it, its link stands at the prompt
    const rematch = offers ? [press("Rematch", again, "main", "The same people at a new table, in a new order")] : [];
    const decided = press("Where was it decided?", analyse, rematch.length ? "" : "main", "A bot looks at each decision again: chances, turning points, better actions");
    const practise = press("Practise from here", fork, "practise", "Open a new table from the moment that the chart shows");
    const record = make("a", { class: "button", href: `/api/tables/${id}/record.txt`, download: true }, "Record");
    const another = plays && company() ? [make("a", { class: "button", href: `/#again=${id}` }, "Same people, another game")] : [];
    const counts = standings ? [make("a", { class: "button", href: standings, title: "This game counts for them" }, "Standings")] : [];
    return make("p", { class: "row deeds" }, ...rematch, ...another, decided, ...counts, practise, record, make("a", { class: "button", href: "/" }, "Home"));
  }

  async function show(status) {
    find("#decided").hidden = !status.over;
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
