// The home page: open tables.

import { post } from "./ask.js";
import { boardPicker } from "./boards.js";
import { badge } from "./called.js";
import { all, capital, find, make } from "./make.js";
import { switched } from "./switches.js";

const main = find("main");
const titles = JSON.parse(main.dataset.titles);
const levels = Object.fromEntries(JSON.parse(main.dataset.levels)); // what each bot is like, the weakest first
const usualBot = main.dataset.usual;
const dialog = find("#new-table");
const form = find("[data-new-form]");
const listed = switched(find("[data-switch=listed]"));
const seating = () => (listed() ? "listed" : "shuffled"); // the order of the seats in a new game

let opening = false; // a second press while a table opens is one too many

async function open(request, refusal = find("main > .refusal")) {
  if (opening) return;
  opening = true;
  try {
    const table = await post("/api/tables", await request);
    location.href = table.page;
  } catch (error) {
    refuse(refusal, error.message);
    opening = false;
  }
}
addEventListener("pageshow", () => (opening = false)); // back from the table

function refuse(line, sentence) {
  line.textContent = sentence;
  line.hidden = false;
  line.scrollIntoView({ block: "nearest" });
}

// The name is remembered in this browser.
const myName = find("#my-name");
myName.value = myName.dataset.account || localStorage.getItem("cuberails-name") || "";
myName.addEventListener("change", () => localStorage.setItem("cuberails-name", myName.value.trim()));
const me = () => myName.value.trim() || "Player";

const usual = `bot ${usualBot}`;
const bots = (count) => Array.from({ length: count }, () => ({ by: "bot", level: usualBot }));

for (const button of all("[data-play]")) {
  const { play, usual } = button.dataset;
  button.addEventListener("click", () => open({ title: play, seats: [{ by: "me", name: me() }, ...bots(usual - 1)], seating: seating() }));
}
for (const button of all("[data-lesson]")) {
  button.addEventListener("click", () => open({ lesson: button.dataset.lesson, seats: [{ by: "me", name: myName.value.trim() }] }));
}
for (const button of all("[data-watch]")) {
  const { watch, usual } = button.dataset;
  button.addEventListener("click", () => open({ title: watch, seats: bots(Number(usual)) }));
}

// A new table

const boards = boardPicker(form, choose);
const chosen = () => titles.find((title) => title.key === form.elements.title.value);
const rows = () => all("li", find(".seats ol", form));

function seat(n) {
  const name = make("input", { name: "name", maxlength: 40, "aria-label": `Name of seat ${n + 1}`, placeholder: `Player ${n + 1}` });
  if (!n) name.value = myName.value.trim();
  const kinds = [["me", n ? "Another person here" : "Me"], ["link", GUEST[whoComes()]], ...Object.keys(levels).map((level) => [`bot ${level}`, `Bot: ${level}`])];
  const by = make("select", { name: "by", "aria-label": `Who plays seat ${n + 1}` });
  by.append(...kinds.map(([value, label]) => make("option", { value }, label)));
  by.value = !n ? "me" : whoComes() === "links" ? usual : "link";
  by.addEventListener("change", introduce);
  return make("li", {}, by, name);
}

// Who can come: people by a link each, who sit down at the table, or whoever takes a free seat and waits for the start.
const GUEST = { links: "A person by link", unlisted: "A free seat", public: "A free seat", invited: "By invitation" };
const whoComes = () => form.elements.visibility.value;
const waits = () => whoComes() !== "links";

// Rated games are played without help.
function admitHelp() {
  form.elements.help.disabled = form.elements.rated.checked;
  if (form.elements.rated.checked) form.elements.help.checked = false;
}

function admit() {
  for (const option of all("option[value=link]", form)) option.textContent = GUEST[whoComes()];
  const free = rows().map((row) => waits() && find("select", row).value === "link");
  rows().forEach((row, n) => (find("input", row).hidden = free[n])); // whoever comes has a name
  find("[data-waiting]", form).hidden = !free.includes(true);
}

// Whoever wants others to come hardly wants them to find no seat: bots that nobody has chosen make room.
function free() {
  const others = rows().slice(1).map((row) => find("select", row));
  if (!waits() || others.some((by) => by.value === "link")) return;
  for (const by of others) if (by.value === usual) by.value = "link";
}

// The bots that were chosen, in a sentence each.
function introduce() {
  admit();
  const chosenBots = rows().map((row) => find("select", row).value.split(" ")[1]);
  const known = Object.keys(levels).filter((level) => chosenBots.includes(level));
  find(".bots", form).replaceChildren(...known.flatMap((level) => [make("dt", {}, capital(level)), make("dd", {}, levels[level])]));
}

function arrange() {
  const title = chosen();
  const list = find(".seats ol", form);
  while (rows().length < title.least_players) list.append(seat(rows().length));
  while (rows().length > title.most_players) list.lastChild.remove();
  find("[data-more]", form).disabled = rows().length >= title.most_players;
  find("[data-less]", form).disabled = rows().length <= title.least_players;
  introduce();
}

function options() {
  const entries = Object.entries(boards.view().options);
  const box = find(".options", form);
  box.hidden = !entries.length;
  find("div", box).replaceChildren(...entries.map(([name, values]) => option(name, values)));
}

function option(name, values) {
  const select = make("select", { "data-option": name });
  select.append(...values.map((value) => make("option", { value }, value)));
  const about = chosen().explained[name];
  const why = about ? [make("small", { class: "hint", id: `about-${name}` }, about)] : [];
  if (about) select.setAttribute("aria-describedby", `about-${name}`);
  return make("div", {}, make("label", {}, `${capital(name.replaceAll("_", " "))} `, select), ...why);
}

// Another title, or another board
function choose(key) {
  find("[data-refusal]", form).hidden = true;
  form.elements.title.value = key;
  boards.offer(chosen());
  arrange();
  options();
}

let peopleOf = ""; // the table whose people are to be invited again

function begin(key, offered = "links") {
  boards.reset();
  peopleOf = "";
  form.elements.visibility.value = offered;
  form.elements.help.checked = true;
  form.elements.rated.checked = false;
  admitHelp();
  form.elements.time.value = "";
  askForTime();
  form.elements.title.value = key;
  const count = Math.max(3, chosen().least_players);
  find(".seats ol", form).replaceChildren(...Array.from({ length: count }, (_, n) => seat(n)));
  choose(key);
  dialog.showModal();
}

// How much time there is: one of those that are offered, or as somebody says.
function timeControl() {
  const [kind, ...numbers] = form.elements.time.value.split(" ");
  const said = (name) => form.elements[name].valueAsNumber || 0;
  const level = form.elements.stand_in.value;
  if (kind === "live") {
    const [minutes, increment] = numbers.length ? numbers.map(Number) : [said("minutes"), said("increment")];
    return { kind, minutes, increment, level };
  }
  return kind ? { kind, days: Number(numbers[0]) || said("days"), level } : null;
}

// The same time as at another table.
function giveTime(control) {
  const { kind, bank, increment, level } = control;
  const wanted = kind === "live" ? `live ${bank / 60} ${increment}` : `correspondence ${bank / 86400}`;
  const menu = form.elements.time;
  menu.value = [...menu.options].some(({ value }) => value === wanted) ? wanted : kind;
  if (kind === "live") [form.elements.minutes.value, form.elements.increment.value] = [bank / 60, increment];
  else form.elements.days.value = bank / 86400;
  form.elements.stand_in.value = level;
  askForTime();
}

function askForTime() {
  const { value } = form.elements.time;
  find("[data-live]", form).hidden = value !== "live";
  find("[data-correspondence]", form).hidden = value !== "correspondence";
  find("[data-stand-in]", form).hidden = !value;
}

async function tableRequest() {
  const seats = rows().map((row) => {
    const [by, level] = find("select", row).value.split(" ");
    const name = find("input", row).value;
    if (by === "link" && waits()) return { by: "open" };
    return level ? { by, level, name } : { by, name };
  });
  const visibility = waits() ? whoComes() : "unlisted";
  const lobby = { visibility, starts: form.elements.starts.value, people_of: visibility === "invited" ? peopleOf : "" };
  const chosenOptions = Object.fromEntries(all("[data-option]", form).map((node) => [node.dataset.option, node.value]));
  return { title: form.elements.title.value, seats, seating: seating(), time_control: timeControl(), options: chosenOptions, help: form.elements.help.checked, rated: form.elements.rated.checked, ...lobby, ...(await boards.request()) };
}

for (const button of all("[data-new]")) button.addEventListener("click", () => begin(button.dataset.new, "public" in button.dataset ? "public" : "links"));
form.elements.time.addEventListener("change", askForTime);
form.elements.visibility.addEventListener("change", () => (free(), introduce()));
form.elements.rated.addEventListener("change", admitHelp);

// The same people again, perhaps in another game: as many seats as there were, by invitation, and the same time.
for (const button of all("[data-again]")) {
  button.addEventListener("click", () => {
    begin(button.dataset.title, "invited");
    peopleOf = button.dataset.again;
    const time = JSON.parse(button.dataset.time);
    if (time) giveTime(time);
    const guests = rows().slice(1);
    while (rows().length <= Number(button.dataset.others) && rows().length < chosen().most_players) guests.push(find(".seats ol", form).appendChild(seat(rows().length)));
    guests.forEach((row, n) => (find("select", row).value = n < Number(button.dataset.others) ? "link" : usual));
    arrange();
  });
}
find(`[data-again="${location.hash.slice("#again=".length)}"]`)?.click(); // as the end of a game offers
for (const button of all("[data-dismiss]")) {
  button.addEventListener("click", () => post(`/api/lobby/${button.dataset.dismiss}/leave`, {}).then(() => button.parentElement.remove(), (error) => refuse(find("main > .refusal"), error.message)));
}
if (location.hash === "#new-table") begin(titles[0].key, "public"); // as the lobby asks for
form.elements.title.addEventListener("change", () => choose(form.elements.title.value));
find("[data-more]", form).addEventListener("click", () => (find(".seats ol", form).append(seat(rows().length)), arrange()));
find("[data-less]", form).addEventListener("click", () => (rows().at(-1).remove(), arrange()));
find("[data-close]", form).addEventListener("click", () => dialog.close());
form.addEventListener("submit", (event) => {
  event.preventDefault();
  open(tableRequest(), find("[data-refusal]", form));
});

// A record

find("[data-import]").addEventListener("submit", async (event) => {
  event.preventDefault();
  const file = event.target.elements.file.files[0];
  const record = file ? await file.text() : event.target.elements.record.value;
  const refusal = find("[data-import-refusal]");
  refusal.hidden = true;
  if (record.trim()) await open({ record }, refusal);
  else refuse(refusal, file ? `${file.name} is empty.` : "Choose a file with a record, or paste one.");
});
// When each table was last changed, by the clock of whoever reads it
for (const time of all(".own time")) {
  time.textContent = new Date(time.dateTime).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
}
badge(Number(main.dataset.waits));
document.body.classList.add("ready");
