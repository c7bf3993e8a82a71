// What can be chosen now: as buttons, at the railroads' rows, and as places on the board. It all comes from the server; no
// rules here.

import { get } from "./ask.js";
import { choosingBeside } from "./chooser.js";
import { all, capital, find, make } from "./make.js";
import { picker, stepper } from "./amounts.js";
import { targeting } from "./targets.js";

const FEW = 5; // so many amounts get a button each, more get a field
const SHOWN = 6; // so many places are also shown as buttons at once
const RANGES = 4; // more ranges of amounts than this under one word share a field
const TAG = 9; // longer than this, what an action brings is not written on the hex
const FEW_GROUPS = 2; // with more, passing and ending come first, so that they are never out of sight
const LINES = 12; // more lines than this under one word are picked word by word

const amounts = (line) => Array.from({ length: (line.to - line.from) / line.step + 1 }, (_, n) => line.from + n * line.step);
const phrase = (line, n) => `${line.head} ${n} ${line.tail}`.trim();

// What a line of amounts is about: a railroad, and what follows the amount.
const about = (word, line) => `${line.head.slice(word.length)} ${line.tail}`.trim();

const aloneFirst = (groups) => {
  const alone = (node) => node.classList.contains("alone");
  return [...groups.filter(alone), ...groups.filter((node) => !alone(node))];
};

const textsOf = (line) => (line.text ? [line.text] : amounts(line).map((n) => phrase(line, n)));
const spread = (line) => line.ids.map((end, n) => ({ text: `${line.head} ${end}`, at: line.in + end, brief: line.briefs[n] }));

// `path` is the place of the interface that tells what a choice would bring.
export function choosing(path, choose, reveal, ledger, passUntil) {
  const list = find("#choices");
  const board = find("#board");
  const effect = find("#effect");
  const coarse = matchMedia("(pointer: coarse)");
  const chooser = choosingBeside();
  const targets = targeting(board);
  let you = null; // the decision that is shown
  let places = new Map(); // key of a part of the board -> texts of the actions there
  let briefs = new Map(); // text of an action -> what it costs and brings, as short as can be
  let known = new Map(); // text of an action -> the same in sentences
  let wanted = "";
  let timer = 0;
  let alert = true; // whether the pointer has moved or a key was pressed since these choices are shown

  // Buttons

  function button(text, label = capital(text), short = false) {
    const brief = briefs.get(text);
    const said = brief ? `${capital(text)}: ${brief}` : capital(text);
    const more = brief ? [make("small", {}, short ? brief.split(",")[0] : brief)] : [];
    return make("button", { "data-action": text, "aria-label": said, onclick: () => choose(text) }, label, ...more);
  }

  // The chip of a railroad, from its row.
  function chipOf(company) {
    const chip = document.getElementById(company)?.querySelector(".chip")?.cloneNode(true);
    chip?.setAttribute("aria-hidden", "true");
    return chip;
  }

  // A railroad and what follows it, with its chip.
  function named(text, company = `company-${text.split(" ")[0]}`) {
    const chip = chipOf(company);
    if (!chip) return make("span", {}, text);
    return make("span", { class: "railroad" }, chip, chip.textContent === text ? "" : text);
  }

  function one(word, line) {
    const rest = line.text.slice(word.length).trim();
    return button(line.text, rest ? named(rest, line.company || undefined) : capital(word));
  }

  function few(word, line) {
    const name = about(word, line);
    const label = name ? [named(name, line.company || undefined)] : [];
    return make("span", { class: "few" }, ...label, ...amounts(line).map((n) => button(phrase(line, n), String(n))));
  }

  // What the player has, where an amount is to be paid from it: a bid, which is about nothing but itself.
  function purse(word, lines) {
    const cash = Number(find(`#seat-${you.seat} [data-fact="Cash"]`)?.textContent.match(/\d+/)?.[0] ?? -1);
    return lines.length === 1 && !about(word, lines[0]) && lines[0].to <= cash ? cash : null;
  }

  // A field for amounts; what a bid leaves is told.
  function field(lines, word) {
    const name = (line) => about(word, line) || capital(word);
    return stepper({ lines, name, word, cash: purse(word, lines), phrase, choose, preview, main: !lines[0].company });
  }

  function range(word, line) {
    return amounts(line).length > FEW || purse(word, [line]) !== null ? field([line], word) : few(word, line);
  }

  // Lines without a place on the board, one after the other. Doing nothing comes last.
  function inRow(word, lines) {
    const ranges = lines.filter((line) => !line.text);
    const single = lines.filter((line) => line.text);
    const idle = (line) => Number(line.text.endsWith(" nothing"));
    const buttons = single.sort((a, b) => idle(a) - idle(b)).map((line) => one(word, line));
    return [...buttons, ...(ranges.length > RANGES ? [field(ranges, word)] : ranges.map((line) => range(word, line)))];
  }

  const isLong = (lines) => lines.length > LINES || lines.filter((line) => line.tail).length > RANGES;

  function unplaced(word, lines) {
    return isLong(lines) ? [picker({ word, texts: lines.flatMap(textsOf), choose, preview })] : inRow(word, lines);
  }

  // What can be done about one railroad with one word: a button, or one that opens a window with all of it.
  function aboutCompany(word, lines, label) {
    const [line] = lines;
    if (lines.length === 1 && line.text) return button(line.text, label, true);
    const price = briefs.get(textsOf(line)[0])?.split(",")[0]; // of the smallest amount
    const more = [make("small", {}, price ? `${price} …` : "…")];
    const what = `${capital(word)} ${line.company.replace("company-", "")}`;
    const opener = make("button", { "aria-label": `${what}: choose how many`, "aria-haspopup": "dialog", "data-opens": what }, label, ...more);
    opener.addEventListener("click", () => chooser.open(opener, what, rows(word, lines)));
    return opener;
  }

  // The amounts of a railroad, each with its price: "2 $132"; those at several values in a row for each value.
  function rows(word, lines) {
    if (lines.some((line) => line.step && amounts(line).length > LINES)) return unplaced(word, lines);
    const railroad = `${word} ${lines[0].company.replace("company-", "")}`;
    const single = (text) => button(text, text.slice(railroad.length).trim() || capital(word));
    const row = (line) => (line.tail ? [make("b", {}, line.tail)] : []).concat(line.step ? amounts(line).map((n) => button(phrase(line, n), String(n), true)) : [single(line.text)]);
    return lines.map((line) => make("div", { class: "amounts" }, ...row(line)));
  }

  function byCompany(lines) {
    const found = new Map();
    for (const line of lines) found.set(line.company, [...(found.get(line.company) || []), line]);
    return found;
  }

  // A place by its id and the name printed there: "K4 Pittsburgh".
  function placeName(word, text, at) {
    const rest = text.slice(word.length).trim();
    const [id, ...name] = (find("title", document.getElementById(at))?.textContent.split(":")[0] ?? "").split(" ");
    return rest === id ? [id, ...name].join(" ") : rest || capital(text);
  }

  function onBoard(word, found) {
    const buttons = found.map(({ text, at }) => button(text, placeName(word, text, at)));
    if (found.length <= SHOWN) return buttons;
    const summary = make("summary", {}, `${found.length} choices, marked on the board`);
    return [make("details", { class: "many" }, summary, make("div", { class: "row" }, ...buttons))];
  }

  function note(lines, placed) {
    const ranges = lines.filter((line) => line.step);
    const counted = ranges.flatMap((line) => line.briefs.map((brief, n) => ({ text: phrase(line, amounts(line)[n]), brief })));
    for (const { text, brief } of [...lines, ...placed, ...counted]) if (brief) briefs.set(text, brief);
    for (const { text, at } of placed) places.set(at, [...(places.get(at) || []), text]);
  }

  function group({ word, lines }, offers) {
    const placed = lines.flatMap((line) => (line.ids ? spread(line) : line.at ? [line] : []));
    note(lines, placed);
    const plain = lines.filter((line) => !line.ids && !line.at);
    const companies = byCompany(plain.filter((line) => line.company));
    const many = [...companies.values()].some((each) => each.length > 1 || each[0].step);
    for (const [key, each] of companies) {
      offers.set(key, [...(offers.get(key) || []), aboutCompany(word, each, capital(word))]);
    }
    const rest = many ? plain.filter((line) => !line.company) : plain;
    const chips = many ? [...companies].map(([key, each]) => aboutCompany(word, each, named(key.replace("company-", ""), key))) : [];
    const inside = [...chips, ...unplaced(word, rest), ...onBoard(word, placed)];
    const alone = inside.length === 1 && lines.length === 1 && lines[0].text === word;
    const legend = alone ? [] : [make("h2", {}, capital(word))];
    return make("div", { class: alone ? "group alone" : "group" }, ...legend, make("div", { class: "row" }, ...inside));
  }

  // Passing where the same question may come back.
  function passing() {
    const patient = make("button", { "data-pass-until": "", onclick: () => passUntil(you) }, "Pass until something changes");
    return make("div", { class: "group alone" }, make("div", { class: "row" }, patient));
  }

  // The board

  // The letters of the railroads that would build, and what it costs and brings.
  function label(texts) {
    const letters = texts.map((text) => chipOf(`company-${text.split(" ")[1]}`)?.textContent).filter(Boolean);
    const builder = letters.length ? [...new Set(letters)].join(" ") : (you.acting?.letter ?? "");
    const brief = (texts.length === 1 && briefs.get(texts[0])) || "";
    const short = brief.length <= TAG ? brief : brief.split(",")[0];
    return [builder, short.length <= TAG ? short : ""].filter(Boolean).join(" ");
  }

  function mark() {
    const found = new Map();
    for (const [key, texts] of places) found.set(key, { label: label(texts), said: texts.map(capital).join(", or ") });
    targets.mark(found);
  }

  // Make some of the choices stand out, wherever they are offered.
  function suggest(texts) {
    const within = (node) => texts.includes(node.dataset.action);
    for (const node of [...all("[data-action]", list), ...all("#companies [data-action]")]) node.classList.toggle("idea", within(node));
    for (const [key, here] of places) {
      document.getElementById(key)?.classList.toggle("idea", here.some((text) => texts.includes(text)));
    }
  }

  function take(node) {
    const texts = places.get(node.id) || [];
    if (texts.length === 1 && !coarse.matches) choose(texts[0]);
    else if (texts.length) chooser.open(node, find("title", node)?.textContent || "", texts.map(inChooser));
  }

  // An action in the window beside a place: with the chip of its railroad, if it names one.
  function inChooser(text) {
    const [word, railroad] = text.split(" ");
    const chip = chipOf(`company-${railroad}`);
    return button(text, chip ? make("span", { class: "railroad" }, chip, capital(word), ` ${text.split(" ").slice(1).join(" ")}`) : undefined);
  }

  function step(from, dx, dy) {
    const next = targets.neighbour(from, dx, dy);
    if (!next) return;
    from.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus({ preventScroll: true });
    reveal(next);
  }

  // What an action brings

  async function tell(text) {
    const lines = known.get(text) || (await get(`${path}/effect?action=${encodeURIComponent(text)}`));
    known.set(text, lines);
    if (wanted === text) effect.replaceChildren(make("b", {}, capital(text)), " ", ...lines.map((l) => make("span", {}, l)));
  }

  function preview(text) {
    wanted = text;
    clearTimeout(timer);
    timer = setTimeout(() => tell(text).catch(() => {}), 100);
  }

  // What comes to lie under a pointer at rest, or gets the focus by itself, is not pointed at.
  function awake(event) {
    if (!alert) (alert = true), pointed(event);
  }

  function pointed(event) {
    if (!alert) return;
    const node = event.target.closest?.("[data-action], .target");
    if (!node) return;
    const texts = node.dataset.action ? [node.dataset.action] : places.get(node.id) || [];
    if (texts.length === 1) preview(texts[0]);
    else if (texts.length) showSeveral(texts);
  }

  function showSeveral(texts) {
    wanted = "";
    effect.replaceChildren(...texts.map((text) => make("span", {}, capital(text))));
  }

  // Nothing is pointed at any more: what happened since my move can be read again.
  function left(event) {
    if (event.relatedTarget?.closest?.("[data-action], .target, #effect")) return;
    wanted = "";
    clearTimeout(timer);
    effect.replaceChildren();
  }

  for (const place of [list, board, chooser.box, find("#ideas"), find("#companies")]) {
    place.addEventListener("pointerover", pointed);
    place.addEventListener("focusin", pointed);
    place.addEventListener("pointerout", left);
    place.addEventListener("focusout", left);
  }
  addEventListener("pointermove", awake);
  addEventListener("keydown", () => (alert = true), { capture: true });
  board.addEventListener("click", (event) => {
    const node = event.target.closest(".target");
    if (node) take(node);
  });

  // For the others

  function show(decision) {
    you = decision;
    alert = false;
    targets.unmark();
    places = new Map();
    briefs = new Map();
    known = new Map();
    wanted = "";
    effect.replaceChildren();
    chooser.close();
    const offers = new Map();
    const groups = you ? you.groups.map((each) => group(each, offers)) : [];
    if (you?.passes) groups.push(passing());
    list.replaceChildren(...(groups.length > FEW_GROUPS ? aloneFirst(groups) : groups));
    ledger.offer(offers);
    mark();
    all("button:not(.step, .many button)", list).slice(0, 9).forEach((node, n) => (node.dataset.key = n + 1));
  }

  function wait(waiting) {
    for (const place of [list, board, find("#companies")]) place.classList.toggle("waiting", waiting);
  }

  return { show, wait, take, step, suggest, press: (n) => find(`[data-key="${n}"]`, list)?.click() };
}
