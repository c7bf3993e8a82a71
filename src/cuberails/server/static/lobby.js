// The lobby and the room of a table that waits for players: what changes there is shown at once.

import { get, post } from "./ask.js";
import { all, find } from "./make.js";

const part = find("[data-part]");
const refusal = find("main > .refusal");
const told = find("[data-told]");
const NAME = "cuberails-name";
const myName = () => find("main").dataset.name || localStorage.getItem(NAME) || ""; // that of an account counts everywhere

let leaving = false; // where the page goes is settled once: an answer and an event may say the same

function go(path) {
  if (!leaving) location.assign(path);
  leaving = true;
}
addEventListener("pageshow", () => (leaving = false)); // back again

function refuse(sentence) {
  refusal.textContent = sentence;
  refusal.hidden = false;
}

async function attempt(action) {
  refusal.hidden = true;
  try {
    return await action();
  } catch (error) {
    refuse(error.message);
    refresh();
  }
}

// What the server has drawn is put in place of what is shown; what somebody has typed there and where they are stays.

function prepare() {
  const today = new Date().toDateString();
  for (const time of all("time", part)) {
    const date = new Date(time.dateTime);
    time.textContent = date.toLocaleString([], { timeStyle: "short", ...(date.toDateString() !== today && { dateStyle: "medium" }) });
  }
  const name = find("[name=name]", part);
  if (name) name.value ||= myName();
  const room = find("[data-state]", part);
  if (room?.dataset.state === "started") go(room.dataset.page);
}

const handle = (node) => ["name", "data-join", "data-leave", "data-report", "data-friend", "data-block", "data-person", "href"].filter((name) => node.hasAttribute(name)).map((name) => `[${name}="${CSS.escape(node.getAttribute(name))}"]`)[0];

let asked = 0; // how often it was asked what there is now: an answer that comes late is an old one

async function refresh() {
  const mine = ++asked;
  const fresh = await get(part.dataset.part).catch(() => null);
  if (fresh === null || mine !== asked) return;
  const typed = all("input, select", part).map((field) => [handle(field), field.value]);
  const at = part.contains(document.activeElement) ? document.activeElement : null;
  const [back, caret] = [at && handle(at), at?.selectionStart];
  part.innerHTML = fresh;
  prepare();
  for (const [field, value] of typed) if (find(field, part)) find(field, part).value = value;
  const same = back && find(back, part);
  same?.focus();
  if (same && caret != null) same.setSelectionRange(caret, caret);
}

// Coming, going, starting

async function join(id, name) {
  if (name) localStorage.setItem(NAME, name);
  const table = await attempt(() => post(`/api/lobby/${id}/join`, { name }));
  if (table) go(table.page);
}

function report({ report: seat, name }) {
  const dialog = find("#report");
  const form = find("form", dialog);
  form.reset();
  find("[data-whom]", dialog).textContent = name;
  form.onsubmit = async ({ submitter }) => {
    if (!submitter?.value) return;
    const done = await attempt(() => post(`/api/lobby/${dialog.dataset.table}/report`, { seat: Number(seat), reason: form.elements.reason.value }));
    if (done) told.textContent = `You have reported ${name} to whoever runs this server.`;
  };
  dialog.showModal();
}

part.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button?.dataset.join) {
    if (myName()) join(button.dataset.join, myName());
    else go(`/lobby/${button.dataset.join}`);
  }
  if (button?.dataset.dismiss) attempt(() => post(`/api/lobby/${button.dataset.dismiss}/leave`, {}));
  if (button?.dataset.person) attempt(() => post(`/api/lobby/${button.dataset.table}/invite`, { person: button.dataset.person }));
  if (button?.dataset.friend) attempt(() => post(`/api/people/${button.dataset.friend}`, { friend: button.dataset.wanted === "true" }));
  if (button?.dataset.block) attempt(() => post(`/api/people/${button.dataset.block}/block`, { kind: button.dataset.kind }));
  if (button?.dataset.remove) attempt(() => post(`/api/lobby/${button.dataset.table}/remove`, { seat: Number(button.dataset.remove) }));
  if (button?.dataset.report) report(button.dataset);
  if (button?.dataset.leave) attempt(() => post(`/api/lobby/${button.dataset.leave}/leave`, {})).then((table) => table && go("/lobby"));
});

part.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  if (form.dataset.joinForm) return join(form.dataset.joinForm, form.elements.name.value.trim());
  if (form.dataset.invite) {
    const name = form.elements.invited.value;
    form.elements.invited.value = "";
    const table = await attempt(() => post(`/api/lobby/${form.dataset.invite}/invite`, { name }));
    if (!table) find("[name=invited]", part).value = name;
    return;
  }
  const level = form.elements.level?.value;
  const table = await attempt(() => post(`/api/lobby/${form.dataset.start}/start`, level ? { level } : {}));
  if (table) go(table.page);
});

for (const button of all("[data-copy]")) {
  button.addEventListener("click", async () => {
    const link = location.origin + button.dataset.copy;
    const copied = await navigator.clipboard?.writeText(link).then(() => true, () => false);
    told.textContent = copied ? "The link was copied." : link;
  });
}

// Live: the server says that something has changed, and comes back by itself.

new EventSource("/api/lobby/events").onmessage = refresh;
prepare();
document.body.classList.add("ready");
