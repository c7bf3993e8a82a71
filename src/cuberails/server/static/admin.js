// The pages for admins: what is done to people, tables and reports. Afterwards the page is loaded as it is then.

import { post } from "./ask.js";
import { busy, told } from "./entrance.js";
import { all, find } from "./make.js";

const TOLD = "cuberails-told"; // what the page says when it is loaded again

async function act(path, body) {
  const { message } = await post(`/api/admin/${path}`, body);
  sessionStorage.setItem(TOLD, message);
  location.reload();
}

// What the buttons and dialogs send, by their names
const sends = {
  ban: ({ person }, { reason, days }) => act("people/ban", { person, reason: reason.value, days: Number(days.value) }),
  lift: ({ person }) => act("people/lift", { person }),
  rename: ({ person }, { name }) => act("people/rename", { person, name: name.value }),
  delete: ({ person }, { name }) => act("people/delete", { person, name: name.value }),
  table: ({ id }) => act("tables/delete", { id }),
  done: ({ id }) => act("reports/done", { id }),
};

const about = (button) => button.closest("[data-person], [data-id]").dataset;

for (const button of all("[data-do]")) button.addEventListener("click", busy(() => sends[button.dataset.do](about(button))));

for (const button of all("[data-ask]")) {
  button.addEventListener("click", () => {
    const dialog = find(`dialog#${button.dataset.ask}`);
    const form = find("form", dialog);
    form.reset();
    find("[data-whom]", dialog).textContent = about(button).name;
    form.onsubmit = (event) => {
      if (event.submitter?.value) busy(() => sends[button.dataset.ask](about(button), form.elements))(event);
      dialog.close();
    };
    dialog.showModal();
  });
}

const sentence = sessionStorage.getItem(TOLD);
sessionStorage.removeItem(TOLD);
if (sentence) told(sentence);
for (const time of all("time")) time.textContent = new Date(time.dateTime).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
document.body.classList.add("ready");
