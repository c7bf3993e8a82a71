// A link that came by mail: its secret stands behind the #, and works once, by a press.

import { post } from "./ask.js";
import { bring, busy, refused } from "./entrance.js";
import { find } from "./make.js";

const token = location.hash.slice(1).split(".")[1] || "";
history.replaceState(null, "", location.pathname); // it is nothing to keep
const form = find("form");
const words = {
  "sign-in": { heading: "Welcome back", words: ({ name }) => `This link signs you in as ${name}.`, use: "Sign in" },
  "sign-up": { heading: "Your account", words: ({ email }) => `Nobody has an account with ${email} yet. What are you called?`, use: "Make the account" },
  confirm: { heading: "Your address", words: ({ email, name }) => `This link notes ${email} in the account of ${name}.`, use: "Note the address" },
};

async function look() {
  const link = await post("/api/account/mail/look", { token });
  const { heading, words: sentence, use } = words[link.for];
  find("[data-heading]").textContent = heading;
  find("[data-words]").textContent = sentence(link);
  find("[data-use]").textContent = use;
  find("[data-name]").hidden = link.for !== "sign-up";
  form.elements.name.required = link.for === "sign-up";
  form.elements.name.value = localStorage.getItem("cuberails-name") || "";
  form.hidden = false;
}

form.addEventListener("submit", busy(async () => {
  const { page } = await post("/api/account/mail/use", { token, name: form.elements.name.value, bring: bring() });
  location.replace(page);
}));

try {
  await look();
} catch (error) {
  refused(error.message);
  find("[data-again]").hidden = false;
}
document.body.classList.add("ready");
