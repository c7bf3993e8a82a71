// The page of an invitation: people name themselves, and this browser remembers how.

import { find } from "./make.js";

const name = find("[name=name]");
if (!("taken" in name.dataset)) name.value = localStorage.getItem("cuberails-name") || "";
find("form").addEventListener("submit", () => {
  const called = name.value.trim();
  if (called) localStorage.setItem("cuberails-name", called);
});
document.body.classList.add("ready");
