// What shares and the lot to be decided are worth: at once by the rules alone, then refined by play-outs and search.

import { follow } from "./ask.js";
import { all, capital, find, make } from "./make.js";
import { amounts, plain, playOuts, spread } from "./spread.js";
import { working } from "./work.js";

// `at` says which moment is shown; null is the present. At a table without help `refused` says why there is nothing.
export function valuing({ id, names, mine, no_help: refused }, { at, open, note }) {
  const panel = find("#panel-worth");
  const button = find("[data-do=worth]");
  const state = find("#worth-state");
  const work = working(find(".worth-head"));
  let asking = null; // what can end the request that is under way

  const shown = () => Boolean(panel) && !panel.hidden;
  const called = (seat) => (mine.length === 1 && mine[0] === seat ? "you" : names[seat]);

  // Who has what: "Ann 2, Bob 1".
  function parts(values, said = String) {
    return values.map((value, seat) => (value ? `${called(seat)} ${said(value)}` : "")).filter(Boolean).join(", ");
  }

  // The chip of the railroad whose share it is, or whose name a company has.
  function chipOf(name) {
    const [railroad] = name.split(" ");
    const keys = [`company-${railroad}`, `company-${railroad.toLowerCase()}`];
    const named = all(".company").find((row) => row.querySelector("th").textContent.includes(name));
    const row = keys.map((key) => document.getElementById(key)).find(Boolean) ?? named;
    const found = row?.querySelector(".chip")?.cloneNode(true);
    found?.setAttribute("aria-hidden", "true");
    return found ?? "";
  }

  function share({ name, held, left, figures, paid, will_pay: expected }, { unit, gives, over }, most) {
    const said = amounts(unit);
    const facts = figures.map(({ name: what, text }) => make("span", {}, `${what} `, make("b", {}, text)));
    const holders = parts(held) || (left ? "" : "nobody");
    const kept = [holders && capital(holders), left && `${left} left`, parts(paid, said) && `${unit === "$" ? "has paid" : "has scored"} ${parts(paid, said)}`];
    return make(
      "li",
      {},
      make("h3", {}, chipOf(name), " ", name),
      make("p", { class: "holders" }, kept.filter(Boolean).join(" · ")),
      make("p", { class: "figures" }, ...facts),
      over ? "" : make("div", { class: "will-pay" }, ...(expected ? spread(name, expected, gives, said, most) : ["…"])),
    );
  }

  // A seat's limit: "$9", or "$9+" where that is all it has, so that it might go further.
  function upTo(amount, cash, said) {
    return amount === cash ? make("abbr", { title: `${said(amount)} is all there is; perhaps more` }, `${said(amount)}+`) : said(amount);
  }

  // How far each seat would go, as bars beside the figures.
  function bars({ limits, most: cash }, said) {
    const most = Math.max(1, ...limits);
    const bar = (amount) => make("meter", { value: amount ?? 0, max: most, "aria-hidden": "true" });
    const limit = (amount, seat) => make("span", {}, ...(amount === null ? ["rather not"] : ["up to ", upTo(amount, cash[seat], said)]));
    const row = (amount, seat) => make("li", {}, make("b", {}, capital(called(seat))), " ", bar(amount), " ", limit(amount, seat));
    return make("ul", {}, ...limits.map(row));
  }

  // What an auction would come to; elsewhere what it costs.
  function outcome({ kind, winner, low, high, limits, chance }, said) {
    if (chance !== null) return `${Math.round(100 * chance)} %`;
    if (kind !== "auction") return low ? `costs ${said(low)}${kind === "start" ? " each" : ""}` : "";
    if (winner === null) return `nobody would bid ${said(low)}`;
    if (limits[winner] < low) return `${called(winner)} ${called(winner) === "you" ? "have" : "has"} bid ${said(low)}, more than it is worth`;
    return `expect ${said(low)}${high > low ? `–${said(high).replace("$", "")}` : ""}, from ${called(winner)}`;
  }

  // What is auctioned also tells what it will pay: its share may be far down in the list.
  function price(each, { shares, unit, gives }, said) {
    const expected = each.kind === "auction" && shares.find(({ name }) => name === each.lot)?.will_pay;
    const pays = expected ? `; a share will ${gives} ${amounts(unit)(expected.mean)}` : "";
    return make("section", {}, make("h3", {}, each.lot, make("small", {}, `: ${outcome(each, said) || each.kind}${pays}`)), bars(each, said));
  }

  // Where there is more than one lot, or a draft: a row for each. Points stand in the heading, for want of room.
  function lots(prices, unit) {
    const [{ chance }] = prices;
    const said = unit === "$" ? amounts(unit) : plain;
    const cells = ({ limits, most }) => limits.map((amount, seat) => make("td", {}, amount === null ? "–" : upTo(amount, most[seat], said)));
    const row = (each) => make("tr", {}, make("th", { scope: "row" }, each.lot), ...cells(each), make("td", {}, outcome(each, said)));
    const heads = names.map((_, seat) => make("th", { scope: "col" }, capital(called(seat))));
    const worth = `${unit === "$" ? "a" : `${capital(unit)} that a`} share is worth${unit === "$" ? " up to" : ""}`;
    const last = chance === null ? make("td") : make("th", { scope: "col" }, "Chance with it");
    const head = make("thead", {}, make("tr", {}, make("th", { scope: "col" }, worth), ...heads, last));
    return make("div", { class: "compare" }, make("table", {}, head, make("tbody", {}, ...prices.map(row))));
  }

  function show(found) {
    const { unit, shares, prices, refined, over } = found;
    const most = Math.max(1, ...shares.flatMap(({ will_pay: expected }) => expected?.bars.map((bar) => bar.to) ?? []));
    const plays = shares.find(({ will_pay: expected }) => expected)?.will_pay.plays;
    const paid = prices[0]?.kind === "auction" ? "$" : unit;
    const single = prices.length === 1 && prices[0].chance === null;
    const priced = single ? [price(prices[0], found, amounts(paid))] : prices.length ? [lots(prices, paid)] : [];
    find("#prices").replaceChildren(...priced);
    find("#shares").replaceChildren(...shares.map((each) => share(each, found, most)));
    const refinedBy = refined ? `By the rules, and ${playOuts(plays)}` : "By the rules alone, so far";
    state.textContent = over ? `The game is over: no share ${unit === "$" ? "pays" : "scores"} any more` : refinedBy;
  }

  const rest = () => work.busy(false);

  function stop() {
    asking?.abort();
    asking = null;
    rest();
  }

  function failed({ message }) {
    rest();
    state.textContent = message;
  }

  // News of the table, or another moment: what was asked about another position is not wanted any more.
  async function ask() {
    if (refused) return;
    stop();
    if (!shown()) return;
    const own = (asking = new AbortController());
    const when = at();
    work.busy(true);
    try {
      await follow(`/api/tables/${id}/worth/events${when === null ? "" : `?at=${when}`}`, { worth: show, progress: work.done, failed, done: rest, gone: rest }, own.signal);
    } catch (error) {
      if (own.signal.aborted) return;
      failed(error);
      if (!error.code) throw error;
    }
  }

  // Opened and closed by the same key; at a table without help it says why it is not.
  function toggle() {
    if (refused) return note(refused);
    open(shown() ? "table" : "worth");
    if (shown() && panel.getBoundingClientRect().top > 0.7 * innerHeight) panel.scrollIntoView();
    return undefined;
  }

  // Which panel is open now.
  function turned() {
    if (refused) return;
    button.setAttribute("aria-pressed", shown());
    if (shown()) ask();
    else stop();
  }

  const away = () => shown() && (toggle(), true);
  return { ask, away, toggle, turned };
}
