// Somebody's own account.

import { post } from "./ask.js";
import { device } from "./called.js";
import { busy, told } from "./entrance.js";
import { all, find, make } from "./make.js";
import { makePasskey, offer } from "./passkeys.js";

const form = (name) => find(`[data-form=${name}]`);
const when = (time) => make("time", { datetime: time }, new Date(time).toLocaleString([], { dateStyle: "medium", timeStyle: "short" }));
const on = (name, work) => form(name)?.addEventListener("submit", busy(({ target }) => work(target.elements, target)));
const press = (name, work) => all(`[data-do=${name}]`).forEach((button) => button.addEventListener("click", busy(work)));
const change = async (path, body, sentence = "") => {
  show(await post(`/api/account/${path}`, body));
  if (sentence) told(sentence);
};

function thing(name, words, label, work) {
  const button = label && make("button", { type: "button", class: "quiet", "aria-label": `${label}: ${name}`, onclick: busy(work) }, label);
  return make("li", {}, make("div", {}, make("b", {}, name), make("small", {}, ...words)), ...(button ? [button] : []));
}

const passkey = ({ id, label, created, used }) =>
  thing(label, ["made ", when(created), ...(used ? [" · used ", when(used)] : [])], "Remove", () => change("passkeys/remove", { id }, `The passkey “${label}” lets nobody in any more.`));

const session = ({ id, name, since, seen, here }) =>
  thing(name, here ? ["this device · since ", when(since)] : ["seen ", when(seen)], here ? "" : "Sign out", () => change("devices/sign-out", { id }, `${name} is signed out.`));

function show(account) {
  find("h1").textContent = account.name;
  find("[data-list=passkeys]").replaceChildren(...(account.passkeys.length ? account.passkeys.map(passkey) : [make("li", { class: "hint" }, "None yet.")]));
  find("[data-list=devices]").replaceChildren(...account.devices.map(session));
  for (const button of all("[data-do=sign-others-out]")) button.hidden = account.devices.length < 2;
  if (find("[data-email]")) find("[data-email]").textContent = account.email || "No address is noted.";
  for (const button of all("[data-do=no-email]")) button.hidden = !account.email;
  for (const node of all("[data-old]")) node.hidden = !account.password;
  find("[data-password-summary]").textContent = account.password ? "Password: there is one" : "Password: there is none";
}

find("[data-visible]").addEventListener("change", busy(({ target }) => change("visible", { visible: target.checked }, target.checked ? "Others see what you have played." : "Nobody else sees what you have played.")));
on("name", ({ name }) => change("name", { name: name.value }, "Your account has this name now."));
on("email", async ({ email }) => change("email", { email: email.value }, `A link is on its way to ${email.value}, if it can be reached. Open it on this device.`));
on("passkey", async ({ label }, target) => {
  await change("passkeys", { ...(await makePasskey("add")), name: label.value }, "This device has a passkey now.");
  target.reset();
});
on("password", async ({ old, password }, target) => {
  await change("password", { old: old.value, password: password.value }, "The password is set.");
  target.reset();
});
on("delete", async ({ name }) => location.replace((await post("/api/account/delete", { name: name.value })).page));
press("no-email", () => change("email", { email: "" }, "The address is forgotten."));
press("no-password", () => change("password", { old: form("password").elements.old.value, password: "" }, "There is no password any more."));
press("sign-others-out", () => change("devices/sign-out", { id: "others" }, "All other devices are signed out."));
press("sign-out", async () => {
  await device.forget().catch(() => {}); // whoever uses it next is not called in your name
  location.replace((await post("/api/account/sign-out", {})).page);
});

show(JSON.parse(find("main").dataset.account));
offer();
document.body.classList.add("ready");
