// How somebody is called: this device, mail, webhooks, a test of each, and the tables that do not call.

import { get, post, remove } from "./ask.js";
import { device } from "./called.js";
import { find, make } from "./make.js";

const first = JSON.parse(find("main").dataset.first);
const kinds = { push: "a device", mail: "e-mail", discord: "Discord", slack: "Slack", json: "a program" };
const where = {
  discord: "In Discord: Edit channel, Integrations, Webhooks, New webhook, Copy URL.",
  slack: "In Slack: an app with Incoming Webhooks; its Webhook URL begins with https://hooks.slack.com/.",
  json: "Your program gets JSON, signed by the Standard Webhooks with a secret that you see after adding it.",
};

async function attempt(work) {
  const line = find("main > .refusal");
  line.hidden = true;
  try {
    await work();
  } catch (error) {
    line.textContent = error.message;
    line.hidden = false;
    line.scrollIntoView({ block: "nearest" });
  }
}

function note(sentence) {
  const line = find(".toast");
  line.textContent = sentence;
  line.hidden = false;
  clearTimeout(note.timer);
  note.timer = setTimeout(() => (line.hidden = true), 4000);
}

// The ways

function press(label, name, work) {
  const button = make("button", { type: "button" }, label, make("span", { class: "unseen" }, ` ${name}`));
  button.addEventListener("click", () => attempt(work));
  return button;
}

function often(hour) {
  return hour < 0 ? "" : `, once a day at ${localHour(hour)}:00`;
}

function way({ id, kind, label, since, digest_hour, stopped, trouble }) {
  const name = kind === "mail" ? first.mail.address || "e-mail" : label;
  const about = `${kinds[kind]}${often(digest_hour)}, since ${new Date(since).toLocaleDateString([], { dateStyle: "medium" })}`;
  const told = make("div", {}, make("b", {}, name), make("small", {}, about));
  if (trouble) told.append(make("small", { class: "trouble" }, `${stopped ? "Not used any more" : "Not delivered last time"}: ${trouble}.`));
  const test = press("Send a test", `to ${name}`, async () => {
    await post(`/api/notifications/${id}/test`, {}).finally(show);
    note("The test is on its way.");
  });
  return make("li", {}, told, test, press("Remove", name, () => forget(id)));
}

async function forget(id) {
  await (id === device.id ? device.forget() : remove(`/api/notifications/${id}`));
  await show();
}

async function show() {
  const { ways, muted, push_key } = await get("/api/notifications");
  find("#ways ~ .ways").replaceChildren(...ways.map(way));
  find("[data-none]").hidden = ways.length > 0;
  showMuted(muted);
  await showDevice(ways, push_key);
}

function showMuted(tables) {
  const section = find("[data-muted]");
  section.hidden = !tables.length;
  find("ul", section).replaceChildren(
    ...tables.map(({ id, name }) => {
      const again = press("Call me again", `about ${name}`, async () => (await post(`/api/tables/${id}/mute`, { muted: false }), show()));
      return make("li", {}, make("div", {}, make("a", { href: `/t/${id}` }, name)), again);
    }),
  );
}

// This device

const box = find("#push");
const state = (sentence) => (find("#push-state").textContent = sentence);

async function showDevice(ways, key) {
  const able = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  box.disabled = !able || Notification.permission === "denied";
  box.checked = able && ways.some((each) => each.id === device.id) && Notification.permission === "granted";
  box.onchange = () => attempt(() => (box.checked ? join(key) : device.forget())).then(show);
  if (!able) state("This browser cannot do that. On an iPhone or iPad put cuberails on the home screen first; other servers than your own need https.");
  else if (Notification.permission === "denied") state("This browser was told not to show notifications of this site; its settings can change that.");
  else state(box.checked ? "You are called on this device, also while no page is open." : "");
}

async function join(key) {
  if ((await Notification.requestPermission()) !== "granted") throw new Error("Without your permission this device cannot call you.");
  const worker = await navigator.serviceWorker.register("/sw.js");
  await navigator.serviceWorker.ready;
  const subscription = await subscribe(worker.pushManager, key).catch((error) => {
    throw new Error(`This browser has no push service (${error.name}).`);
  });
  const { endpoint, keys } = subscription.toJSON();
  const added = await post("/api/notifications", { kind: "push", target: endpoint, keys, label: browser() });
  device.id = added.id;
}

// A subscription with another key, from before the server had a new secret, gives way.
async function subscribe(service, key) {
  const wanted = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return await service.subscribe(wanted);
  } catch (error) {
    const old = error.name === "InvalidStateError" && (await service.getSubscription());
    if (!old) throw error;
    await old.unsubscribe();
    return service.subscribe(wanted);
  }
}

// What this browser is called in the list.
function browser() {
  const agent = navigator.userAgent;
  const names = { Edg: "Edge", Firefox: "Firefox", Chrome: "Chrome", Safari: "Safari" };
  const systems = { iPhone: "iPhone", iPad: "iPad", Android: "Android", Windows: "Windows", Mac: "Mac", Linux: "Linux" };
  const called = (table) => table[Object.keys(table).find((word) => agent.includes(word))];
  return [called(names) || "A browser", called(systems)].filter(Boolean).join(" on ");
}

// Mail

const shift = -Math.round(new Date().getTimezoneOffset() / 60); // hours that clocks here are ahead of UTC
const localHour = (utc) => (utc + shift + 24) % 24;

const mail = find("[data-mail]");
for (const option of mail ? mail.querySelectorAll("[data-hour]") : []) option.value = (Number(option.dataset.hour) - shift + 24) % 24;
mail?.addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(async () => {
    await post("/api/notifications", { kind: "mail", digest_hour: Number(mail.elements.hour.value) });
    await show();
    note("You are called by e-mail.");
  });
});

// Webhooks

const hook = find("[data-hook]");
const explain = () => (find("[data-where]").textContent = where[hook.elements.kind.value]);
hook.elements.kind.addEventListener("change", explain);
hook.addEventListener("submit", (event) => {
  event.preventDefault();
  const { kind, target } = hook.elements;
  attempt(async () => {
    const added = await post("/api/notifications", { kind: kind.value, target: target.value.trim() });
    target.value = "";
    find("[data-secret]").hidden = !added.secret;
    find("[data-secret] code").textContent = added.secret || "";
    await show();
  });
});

explain();
attempt(show).then(() => document.body.classList.add("ready"));
