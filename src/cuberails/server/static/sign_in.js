// Signing in, and making an account.

import { post } from "./ask.js";
import { busy, bring, told } from "./entrance.js";
import { all, find } from "./make.js";
import { makePasskey, offer, usePasskey } from "./passkeys.js";

const form = (name) => find(`[data-form=${name}]`);
const enter = async (way, body) => {
  const { page } = await post(`/api/account/${way}`, { ...body, bring: bring() });
  location.replace(cameFrom() || page);
};

// The page of this server where somebody pressed “Sign in”, such as a table; whole, since a path may begin with two slashes
function cameFrom() {
  const { origin, pathname, search } = document.referrer ? new URL(document.referrer) : {};
  return origin === location.origin && !/^\/(sign-in|account)/.test(pathname) ? origin + pathname + search : "";
}

find("[data-do=sign-in]").addEventListener("click", busy(async () => enter("passkey/sign-in", await usePasskey())));

form("sign-up").addEventListener("submit", busy(async ({ target }) => {
  const name = target.elements.name.value;
  await enter("passkey/sign-up", { ...(await makePasskey("sign-up", name)), name });
}));

form("mail")?.addEventListener("submit", busy(async ({ target }) => {
  told((await post("/api/account/mail", { email: target.elements.email.value })).message);
}));

form("password").addEventListener("submit", busy(async ({ target, submitter }) => {
  const { name, password } = target.elements;
  await enter(`password/${submitter?.value || "sign-in"}`, { name: name.value, password: password.value });
}));

find("[data-outside]")?.addEventListener("click", ({ currentTarget }) => (currentTarget.href = `/sign-in/outside?bring=${bring()}`));
if (!offer()) find("[data-password]").open = true;
for (const field of all("[name=name]")) if (!field.closest("[data-password]")) field.value ||= localStorage.getItem("cuberails-name") || "";
document.body.classList.add("ready");
