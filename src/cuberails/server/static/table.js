// The page of a table: puts the pieces together.

import { get, post } from "./ask.js";
import { automating } from "./automatic.js";
import { calling } from "./called.js";
import { dealing } from "./cards.js";
import { chatting } from "./chat.js";
import { choosing } from "./choices.js";
import { ticking } from "./clocks.js";
import { coaching } from "./coach.js";
import { ending } from "./end.js";
import { focusing } from "./focus.js";
import { befriending } from "./friends.js";
import { advising } from "./ideas.js";
import { keyboard } from "./keys.js";
import { comparing } from "./ledger.js";
import { minding } from "./house.js";
import { logging } from "./log.js";
import { all, find, make } from "./make.js";
import { marking } from "./marks.js";
import { ordering } from "./orders.js";
import { pacing } from "./pace.js";
import { replace } from "./parts.js";
import { cited, linking, searching } from "./rules.js";
import { sounding } from "./sound.js";
import { telling } from "./story.js";
import { listen } from "./stream.js";
import { switched } from "./switches.js";
import { tabs } from "./tabs.js";
import { travelling } from "./time.js";
import { valuing } from "./worth.js";
import { working } from "./work.js";
import { zooming } from "./zoom.js";

const first = JSON.parse(find("main").dataset.first);
const { id, mine, names } = first;
let { seq, you, status, prompt, rule } = first;
const narrow = matchMedia("(max-width: 600px)"); // there the board shows what can be chosen
let drawn = ""; // which choices are shown
let holder = you?.seat; // which of several people at this screen was the last to decide

const openTab = tabs(find(".tabs"), (name) => {
  worth.turned();
  if (name === "rules") readAt(rule);
  if (name === "chat") chat.read();
});
openTab.pin("log", ".left", matchMedia("(min-width: 1400px) and (min-height: 600px)")); // there is room for it beside the table
const rules = searching(find("#panel-rules"));
const board = zooming(find("#viewport"));
const focus = focusing();
const ledger = comparing(mine);
const automatic = automating();
const orders = ordering(first, { attempt, note });
const choices = choosing(`/api/tables/${id}`, (text) => attempt(() => act(text)), board.reveal, ledger, (asked) => orders.pass(asked.seat, asked.passes));
const coach = coaching({ title: first.title, name: names[mine[0]], usual: first.usual, act, back: undo, attempt });
const ideas = advising(first, (text) => attempt(() => act(text)), choices.suggest, note);
const worth = valuing(first, { at: () => time.shown(), open: openTab, note });
const log = logging(id, mine);
const work = working(find(".prompt"));
const sound = sounding(switched(find("[data-switch=sound]")));
const handing = switched(find("[data-switch=handover]"));

const table = { count: first.count, travelled, returned, attempt, copy, undo };
const end = ending(id, { plays: mine.length > 0, company: () => friends.company(), standings: first.rated && `/standings#${first.title}`, go: (count) => time.go(count), fork: () => time.fork(), attempt });
const time = travelling(id, table);
const cards = dealing(id, names);
const strip = telling(id);
const marks = marking(id);
const pace = pacing(receive, { shown: () => seq, time, over: () => status.over, mine });
const house = minding(first, { attempt, note, changed: () => chat.hide() });
const chat = chatting(first, { speaker, attempt, note, house });
house.show();
const friends = befriending(first, { attempt, note, copy, house, rename: () => (say(), chat.renamed(), house.show(), log.renew()) });
const called = calling(id, { attempt, note });
const clocks = ticking(first);
const reopen = listen(id, pace.seen, news, advanced, connected, { ...chat, present: friends.present, ordered: orders.show, clocks: clocks.receive });

// What the page says

function headline() {
  if (status.over) return ["The game is over. ", make("b", {}, verdict()), ...governed(rule)];
  if (status.actor < 0) return ["Dice decide."];
  const name = names[status.actor];
  if (status.bots[status.actor]) return [`${name} is thinking…`];
  const who = !you ? `${name} decides: ` : mine.length > 1 ? `${name}: ` : "Your turn: ";
  return [make("b", {}, who), prompt, ...governed(rule)];
}

// The rule that governs a decision, as a link to it.
function governed(number) {
  return [" ", make("a", { class: "cite", href: `#rule-${number}`, title: "The rule for this" }, number)];
}

function verdict() {
  const won = status.winners.map((seat) => names[seat]);
  return won.length > 1 ? `${won.slice(0, -1).join(", ")} and ${won.at(-1)} share the win.` : `${won[0]} wins.`;
}

function say() {
  const line = find("#prompt");
  const words = headline();
  const plain = words.map((word) => word.textContent ?? word).join("");
  if (line.textContent !== plain) line.replaceChildren(...words);
  find(".prompt").classList.toggle("yours", Boolean(you));
  work.busy(status.thinking);
  turn(status.actor);
  document.title = `${you ? "● " : ""}${find("h1").textContent} · cuberails`;
  document.body.classList.toggle("over", status.over);
  find("[data-do=undo]").disabled = !status.undo;
  find("[data-do=redo]").disabled = !status.redo;
  find("[data-do=hint]").disabled = !you && !first.no_help; // there it says why
  orders.offer(status.can_order);
  mark(rule);
}

// Whose turn it is, among the players.
function turn(actor) {
  for (const node of all("#seats .seat")) node.classList.toggle("deciding", node.id === `seat-${actor}`);
}

function refuse(sentence) {
  const line = find("#refusal");
  line.hidden = !sentence;
  line.replaceChildren(...cited(sentence));
}

function note(sentence) {
  const line = find("#note");
  line.textContent = sentence;
  line.hidden = false;
  clearTimeout(note.timer);
  note.timer = setTimeout(() => (line.hidden = true), 4000);
}

// News: what people did is told at once, the game at its pace.

function news(update) {
  friends.told(update);
  chat.tell(update.notices);
  pace.receive(update);
}

function receive(update) {
  const news = update.seq !== seq || update.count !== table.count;
  const before = you?.seat;
  const resume = time.pause();
  automatic.hold(update.count < table.count);
  const changed = marks.before(Object.keys(update.parts));
  replace(update.parts);
  ledger.refresh();
  changed(update.story, update.count);
  ({ seq, you, status, prompt, rule } = update);
  table.count = update.count;
  if (news) log.tell(update);
  if (news) cards.add(update.cards, update.shared, update.story?.start);
  strip.show(update.story, update.count);
  if (news) refuse("");
  choices.wait(false);
  if (!time.away()) say();
  if (!time.away() && moment() !== drawn) offer();
  resume();
  if (!news) return;
  if (!time.away()) worth.ask();
  refreshed();
  turned(before);
}

// How far the bot is whose turn it is, or the one that was asked for a hint.
function advanced(part) {
  (status.thinking ? work : ideas).done(part);
}

// After news: a sound, and a screen between two people who share this one.
function turned(before) {
  if (you && you.seat !== before) sound.turn();
  else sound.move();
  if (you && you.seat !== holder) handOver(you.seat);
  if (before !== undefined && !you) attempt(called.refresh);
}

function handOver(seat) {
  const other = holder !== undefined;
  holder = seat;
  if (!other || !handing()) return;
  find("#handover b").textContent = names[seat];
  find("#handover").showModal();
}

// What is legal follows from the moment and the seat: the same choices are not drawn again under somebody's hands.
function moment() {
  return `${seq} ${you?.seat}`;
}

function offer() {
  drawn = moment();
  const unasked = automatic.answer(you);
  if (unasked) return attempt(() => act(unasked));
  const stay = focus.wanted();
  choices.show(you);
  coach.show(status.lesson, Boolean(you), choices.suggest);
  ideas.clear();
  if (narrow.matches) board.near();
  cards.settle();
  if (stay) focus.restore();
  return undefined;
}

// The table as text, at the moment that is shown.
async function spell() {
  const at = time.shown();
  if (find("#words").open) find("#words pre").textContent = await get(`/t/${id}/text${at === null ? "" : `?at=${at}`}`);
}

async function refreshed() {
  await spell();
  await end.show(status);
}

function connected(yes) {
  document.body.classList.toggle("offline", !yes);
}

function travelled(then) {
  const decide = find(".decide");
  decide.style.minHeight ||= `${decide.offsetHeight}px`; // nothing moves under the hand at the slider
  choices.show(null);
  ideas.clear();
  marks.hide();
  strip.point(then.count);
  pace.say();
  spell();
  worth.ask();
  turn(then.actor);
  clocks.at(then.left ?? null);
  drawn = "";
  find("#prompt").replaceChildren(make("b", {}, "Then: "), then.prompt, ...governed(then.rule));
  mark(then.rule);
  find(".prompt").classList.remove("yours");
  work.busy(false);
}

function returned() {
  clocks.at(null);
  find(".decide").style.minHeight = "";
  marks.show();
  strip.point(null);
  pace.say();
  spell();
  worth.ask();
  say();
  offer();
}

// Deeds

async function attempt(request) {
  try {
    refuse("");
    await request();
  } catch (error) {
    if (error.code === "done_already") return reopen(); // a double click: the table is where it was wanted
    choices.wait(false);
    refuse(error.message);
    if (error.code === "stale" || error.code === "offline") reopen();
    if (!error.code) throw error;
  }
}

async function act(text) {
  if (coach.hold(text)) return;
  choices.wait(true);
  find("#help").close();
  const answer = await post(`/api/tables/${id}/act`, { seat: you.seat, seq, action: text });
  setTimeout(() => seq < answer.seq && reopen(), 1500);
}

// The seat of mine that no bot plays, to speak for me.
function speaker() {
  return you?.seat ?? mine.find((seat) => !status.bots[seat]) ?? mine[0];
}

function undo(to) {
  return post(`/api/tables/${id}/undo`, { seat: speaker(), seq, to });
}

function redo() {
  return post(`/api/tables/${id}/redo`, { seat: speaker(), seq });
}

const course = () => end.fill(find("#scores"));

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    note("Copied.");
  } catch {
    prompt_link(text);
  }
}

// Where the clipboard is out of reach the link is shown, to be copied by hand.
function prompt_link(text) {
  const box = make("input", { type: "text", readonly: true, value: text, "aria-label": "Link" });
  refuse("Copy this link: ");
  find("#refusal").append(box);
  box.select();
}

function bot(seat) {
  const level = status.bots[seat] ? "" : first.usual;
  return post(`/api/tables/${id}/seats/${seat}`, { level });
}

function help() {
  find("#help").close();
  find("#help").classList.remove("first");
  find("#help").showModal();
}

// A new person gets the tour once. The game can go on beside it.
function tour() {
  if (!mine.length || status.lesson || localStorage.getItem("cuberails-tour")) return;
  localStorage.setItem("cuberails-tour", "seen");
  find("#help").classList.add("first");
  find("#help").show();
}

// The rules

function readAt(number) {
  rules.clear();
  const found = document.getElementById(`rule-${number}`);
  found?.scrollIntoView({ block: "start" });
  return found;
}

function read(number) {
  openTab("rules");
  const found = readAt(number);
  found?.classList.add("fresh");
  setTimeout(() => found?.classList.remove("fresh"), 2500);
  find("a", found || document)?.focus({ preventScroll: true });
}

// The rule that governs what is shown.
function mark(number) {
  find(".rule.now")?.classList.remove("now");
  document.getElementById(`rule-${number}`)?.classList.add("now");
}

const commands = { undo: () => undo(null), redo, hint: ideas.ask, worth: worth.toggle, help, plan: orders.open, course, since: () => log.since(), events: cards.list };
for (const button of all("[data-do]")) button.addEventListener("click", () => attempt(commands[button.dataset.do]));
for (const button of all("[data-copy]")) button.addEventListener("click", () => copy(location.origin + button.dataset.copy));
for (const button of all("[data-bot]")) button.addEventListener("click", () => attempt(() => bot(Number(button.dataset.bot))));
find("#earlier").addEventListener("click", () => attempt(log.load));
find("#words").addEventListener("toggle", () => refreshed());
find("#help").addEventListener("keydown", (event) => event.key === "Escape" && find("#help").close());
addEventListener("resize", () => (find(".decide").style.minHeight = ""));
linking(read);

keyboard(
  { board, choices },
  {
    u: () => attempt(commands.undo),
    r: () => attempt(redo),
    h: () => (you || first.no_help) && attempt(ideas.ask),
    w: worth.toggle,
    "[": () => attempt(time.back),
    "]": () => attempt(time.on),
    escape: () => worth.away() || (!time.away() && cards.away()) || attempt(time.now),
    x: cards.away,
    p: () => attempt(pace.toggle),
    ".": () => attempt(pace.step),
    n: called.next,
    t: () => openTab("table"),
    l: () => openTab("log"),
    o: orders.key,
    "/": () => (openTab("rules"), rules.focus()),
    "?": help,
  },
);

say();
strip.show(first.story, first.count);
cards.add(first.cards, first.count, first.story?.start);
marks.begin(first.story, first.count);
if (!time.away()) offer();
refreshed();
tour();
document.body.classList.add("ready");
