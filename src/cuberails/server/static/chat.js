// What people say to each other at a table, and notes that nobody else reads.

import { get, post } from "./ask.js";
import { find, make } from "./make.js";

const SAVE = 800; // milliseconds without a key until a note is saved

export function chatting({ id, mine, names, host }, { speaker, attempt, note, house }) {
  const panel = find("#panel-chat");
  const box = find("#chat");
  const list = find("ol", box);
  const form = find("#say");
  const words = find("input", form);
  const unread = find("#tab-chat .unread");
  const key = `cuberails-chat-${id}`;
  const writes = mine.length > 0 || host;
  let last = 0; // the number of the last line
  let known = Number(localStorage.getItem(key) ?? 0); // the last line that was seen

  const named = (seat) => names[seat] ?? "Host";

  // @name, for the names at the table, the longest first.
  function marked(text) {
    const found = [...names].sort((a, b) => b.length - a.length).map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const parts = text.split(new RegExp(`(@(?:${found.join("|")}))(?![\\p{L}\\p{N}])`, "giu"));
    return parts.map((part, n) => (n % 2 ? make("mark", { class: calls(part) ? "me" : "" }, part) : part));
  }

  const calls = (text) => mine.some((n) => text.toLowerCase().includes(`@${names[n].toLowerCase()}`));

  function line({ n, seat, text, at }) {
    const time = new Date(at);
    const when = make("time", { datetime: at, title: time.toLocaleString() }, time.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }));
    const own = mine.includes(seat) || (seat < 0 && host);
    const more = own ? [] : [" ", house.button(seat, n)];
    return make("li", { "data-n": n, "data-seat": seat, class: own ? "mine" : "", hidden: house.hides(seat) }, make("b", {}, named(seat)), " ", make("span", {}, ...marked(text)), " ", when, ...more);
  }

  function read() {
    if (panel.hidden || document.hidden) return;
    known = last;
    localStorage.setItem(key, known);
    count();
    box.scrollTop = box.scrollHeight;
  }

  function count() {
    const fresh = [...list.querySelectorAll("li[data-n]:not([hidden])")].filter((item) => Number(item.dataset.n) > known && !item.classList.contains("mine"));
    unread.hidden = !fresh.length;
    unread.replaceChildren(String(fresh.length), make("span", { class: "unseen" }, " new"));
  }

  function hear(lines) {
    const fresh = lines.filter(({ n }) => n > last);
    for (const each of fresh) {
      list.append(line(each));
      last = each.n;
    }
    const theirs = fresh.filter(({ seat, n }) => !mine.includes(seat) && n > known && !house.hides(seat));
    if (panel.hidden && theirs.length) note(`${named(theirs.at(-1).seat)}: ${theirs.at(-1).text.slice(0, 120)}`);
    count();
    read();
  }

  // What people did besides acting stands between the lines.
  function tell(notices) {
    list.append(...notices.map(({ text }) => make("li", { class: "notice" }, text)));
    if (notices.length) read();
  }

  form.hidden = !writes;
  find("#only-read").hidden = writes;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = words.value.trim();
    if (!text) return;
    attempt(async () => {
      const seat = mine.length ? { seat: speaker() } : {};
      hear(await post(`/api/tables/${id}/chat`, { text, ...seat }));
      words.value = "";
    });
  });
  document.addEventListener("visibilitychange", read);
  if (writes) noting(id, attempt);

  return {
    hear,
    read,
    tell,
    last: () => last,
    // Others are muted than before.
    hide() {
      for (const item of list.querySelectorAll("li[data-n]")) item.hidden = house.hides(Number(item.dataset.seat));
      count();
    },
    renamed() {
      for (const item of list.querySelectorAll("li[data-n]")) find("b", item).textContent = named(Number(item.dataset.seat));
    },
  };
}

// Notes are loaded when they are opened, and saved while one writes.
function noting(id, attempt) {
  const box = find("#notes");
  const text = find("textarea", box);
  const state = find("output", box);
  let timer = 0;
  let stored = null; // null until it was loaded

  async function load() {
    if (stored !== null) return;
    stored = (await get(`/api/tables/${id}/notes`)).text;
    text.value = stored;
    text.disabled = false;
  }

  async function save() {
    clearTimeout(timer);
    const value = text.value;
    if (stored === null || value === stored) return;
    await post(`/api/tables/${id}/notes`, { text: value });
    stored = value;
    state.textContent = text.value === value ? "Saved" : "…";
  }

  box.hidden = false;
  text.disabled = true;
  box.addEventListener("toggle", () => box.open && attempt(load));
  text.addEventListener("input", () => {
    state.textContent = "…";
    clearTimeout(timer);
    timer = setTimeout(() => attempt(save), SAVE);
  });
  text.addEventListener("change", () => attempt(save));
  document.addEventListener("visibilitychange", () => document.hidden && attempt(save));
}
