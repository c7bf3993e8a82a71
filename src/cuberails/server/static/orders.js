// Standing orders: what a seat has ordered ahead, and a window to give such orders. The server carries them out.

import { get, post, remove } from "./ask.js";
import { capital, find, make } from "./make.js";

const PASS = "pass";

export function ordering({ id, names, mine, orders }, { attempt, note }) {
  const box = find("#orders");
  const plan = find("#plan");
  const opener = find("[data-do=plan]");
  const path = `/api/tables/${id}/orders`;

  let standing = []; // the orders that are shown
  let changing = false; // whether a press here is about to change them

  const whose = (seat) => (mine.length > 1 ? `${names[seat]}: ` : "");

  function line({ id: order, seat, words, until }) {
    const revoke = () => change(() => remove(`${path}/${order}`));
    const button = make("button", { class: "quiet", "aria-label": `Revoke: ${words}`, onclick: revoke }, "Revoke");
    return make("li", {}, make("span", {}, `${whose(seat)}${words}`, " ", make("small", {}, `(${until})`)), button);
  }

  const change = (send) => ((changing = true), attempt(send));

  function show(orders) {
    const over = standing.filter((each) => !orders.some(({ id }) => id === each.id));
    if (over.length && !changing) note(`Over: ${over.map(({ words }) => words).join("; ")}.`);
    [standing, changing] = [orders, false];
    const list = make("ul", { "aria-label": "Standing orders" }, ...orders.map(line));
    box.replaceChildren(...(orders.length ? [list] : []));
    box.hidden = !orders.length;
  }

  // The window

  async function give(order) {
    plan.close();
    await change(() => post(path, order)); // the stream tells what then stands
  }

  function form(label, button, ...fields) {
    return (send) => make("form", { class: "row", onsubmit: (event) => (event.preventDefault(), send()) }, label, ...fields, make("button", {}, button));
  }

  function limit({ seat, stage, bid }) {
    const amount = make("input", { type: "number", class: "amount", min: bid.from, max: bid.to, value: bid.from, required: true, "aria-label": "Bid up to, in dollars" });
    return form("Bid up to $", "Order", amount, "then pass")(() => give({ seat, stage, kind: "bid", limit: Number(amount.value) }));
  }

  function pass({ seat, stage }) {
    return make("p", { class: "row" }, make("button", { onclick: () => give({ seat, stage, kind: PASS }) }, "Pass until somebody else does more than pass"));
  }

  function select(label, choices, none, required = false) {
    const options = choices.map((text) => make("option", { value: text }, capital(text)));
    return make("select", { "aria-label": label, required }, make("option", { value: "" }, none), ...options);
  }

  function choose({ seat, stage, choices }) {
    const first = select("First choice", choices, "choose …", true); // nothing is ordered that nobody has chosen
    const second = select("Otherwise", choices, "decide myself");
    const wanted = () => [...new Set([first.value, second.value])].filter(Boolean);
    return form("", "Order", first, "if that is gone,", second)(() => give({ seat, stage, kind: "choose", actions: wanted() }));
  }

  // Where the turn of the railroad has begun, the order is for what is left of it.
  function errand(seat, { stage, actions, words, as_last_time }, now) {
    const label = capital([stage === now && "at once, for the rest of this turn:", as_last_time && "as last time:", words].filter(Boolean).join(" "));
    return make("p", { class: "row" }, make("button", { onclick: () => give({ seat, stage, actions, kind: "run" }) }, label));
  }

  function section(heading, nodes) {
    return nodes.length ? [make("h3", {}, heading), ...nodes] : [];
  }

  function offers(offer) {
    const here = [...(offer.bid ? [limit(offer)] : []), ...(offer.pass ? [pass(offer)] : []), ...(offer.choices.length ? [choose(offer)] : [])];
    const later = offer.errands.map((each) => errand(offer.seat, each, offer.stage));
    return [...section(`${whose(offer.seat)}${capital(offer.stage)}`, here), ...section(`${whose(offer.seat)}Your railroads' next turns`, later)];
  }

  async function open() {
    const found = (await get(path)).offers.flatMap(offers);
    const nothing = make("p", {}, "There is nothing to order ahead now: you can in auctions, drafts and markets.");
    find(".offers", plan).replaceChildren(...(found.length ? found : [nothing]));
    plan.showModal();
  }

  show(orders);
  const key = () => (opener.hidden ? note("There is nothing to order ahead now.") : attempt(open));
  return { show, open, key, offer: (yes) => (opener.hidden = !yes), pass: (seat, stage) => give({ seat, stage, kind: PASS }) };
}
