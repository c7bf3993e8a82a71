// Order in the house: somebody at the table is muted or blocked, for oneself alone, reported, or removed by the host.

import { post } from "./ask.js";
import { all, find, make } from "./make.js";

const HOST = -1; // where somebody sits who has no seat

// `changed` is called when other seats are hidden than before.
export function minding({ id, names, hidden }, { attempt, note, changed }) {
  const dialog = find("#person");
  const list = find("#hidden-here");
  let kinds = hidden; // by seat: muted or blocked
  let line = 0; // and the line of the chat, if there is one
  let about = HOST; // the seat that the dialog is about

  const named = (seat) => names[seat] ?? "the host";

  function set(seat, kind) {
    dialog.close();
    return attempt(async () => {
      ({ hidden: kinds } = await post(`/api/tables/${id}/seats/${seat}/block`, { kind }));
      note(kind ? `You have ${kind} ${named(seat)}.` : `You see what ${named(seat)} writes again.`);
      show();
    });
  }

  function show() {
    const seats = Object.keys(kinds).map(Number);
    const item = (seat) => make("li", {}, `${named(seat)} is ${kinds[seat]} by you. `, make("button", { class: "quiet", onclick: () => set(seat, "") }, "Undo", make("span", { class: "unseen" }, ` for ${named(seat)}`)));
    list.hidden = !seats.length;
    list.replaceChildren(...seats.map(item));
    changed();
  }

  function ask(seat, n) {
    [about, line] = [seat, n];
    find("[name=reason]", dialog).value = "";
    find("h2", dialog).textContent = named(seat);
    for (const button of all("[data-kind]", dialog)) button.hidden = kinds[seat] === button.dataset.kind || (!kinds[seat] && !button.dataset.kind);
    for (const box of all("#removing", dialog)) box.hidden = seat === HOST;
    dialog.showModal();
  }

  for (const button of all("[data-kind]", dialog)) button.addEventListener("click", () => set(about, button.dataset.kind));

  for (const button of all("[data-remove]", dialog)) {
    button.addEventListener("click", () => {
      dialog.close();
      const invited = !button.dataset.remove;
      attempt(async () => {
        await post(`/api/tables/${id}/seats/${about}/remove`, { level: button.dataset.remove });
        if (invited) location.reload(); // there the new link is
      });
    });
  }

  find("[data-report]", dialog).addEventListener("click", () => {
    const reason = find("[name=reason]", dialog).value;
    dialog.close();
    attempt(async () => {
      await post(`/api/tables/${id}/seats/${about}/report`, { line, reason });
      note(`You have reported ${named(about)} to whoever runs this server.`);
    });
  });

  return {
    hides: (seat) => seat in kinds,
    // A button that leads to what can be done about whoever sits there.
    button: (seat, n = 0) => make("button", { class: "quiet about", onclick: () => ask(seat, n) }, "⋯", make("span", { class: "unseen" }, ` about ${named(seat)}`)),
    show,
  };
}
