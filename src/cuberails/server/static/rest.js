// Quiet hours and holidays: what one has set, and a form to set it anew.

import { post } from "./ask.js";
import { all, find, make } from "./make.js";

const rest = JSON.parse(find("main").dataset.rest);
const form = find("form");
const list = find(".holidays");
const local = Intl.DateTimeFormat().resolvedOptions().timeZone;

function holiday([first, last] = ["", ""]) {
  const day = (name, value) => make("input", { type: "date", name, value, required: true });
  const remove = make("button", { type: "button", class: "quiet", onclick: () => item.remove() }, "Remove");
  const item = make("li", { class: "row" }, make("label", {}, "From ", day("first", first)), make("label", {}, "to and with ", day("last", last)), remove);
  list.append(item);
  return item;
}

// Whoever has set nothing yet lives where the browser says.
const nothing = rest.zone === "UTC" && rest.quiet_from === rest.quiet_to && !rest.holidays.length;
form.elements.zone.value = nothing ? local : rest.zone;
if (!form.elements.zone.value) form.elements.zone.value = "UTC";
form.elements.quiet_from.value = rest.quiet_from;
form.elements.quiet_to.value = rest.quiet_to;
for (const days of rest.holidays) holiday(days);

find("[data-more]").addEventListener("click", () => find("input", holiday()).focus());
form.addEventListener("input", () => (find("output").textContent = ""));
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { zone, quiet_from: from, quiet_to: to } = form.elements;
  const holidays = all("li", list).map((item) => all("input", item).map((input) => input.value));
  const refusal = find(".refusal");
  refusal.hidden = true;
  try {
    await post("/api/rest", { zone: zone.value, quiet_from: from.value || "00:00", quiet_to: to.value || "00:00", holidays });
    find("output").textContent = "Saved; it holds from now on.";
  } catch (error) {
    refusal.textContent = error.message;
    refusal.hidden = false;
  }
});
document.body.classList.add("ready");
