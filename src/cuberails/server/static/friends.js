// The people at a table: who is there, what they are called, invitations, and seats that bots play for somebody.

import { post } from "./ask.js";
import { inviting } from "./invite.js";
import { all, find, make } from "./make.js";

const WORDS = { here: "here", away: "away", open: "not come yet" };

export function befriending(first, { attempt, note, copy, rename, house }) {
  const { id, mine, names, levels } = first;
  const asked = find("#asked");
  const rows = find("#seats");
  const invitation = inviting(first, { copy, note });
  let people = first.presence;
  let { seq, status } = first;

  // Who is there

  const bot = (n) => status.bots[n];

  // A seat in a word or two; bots without a person need none.
  function badge(n) {
    const own = mine.includes(n) ? "you" : "";
    const standing = bot(n) && people.seats[n] !== "bot" ? "a bot plays" : "";
    return [own, standing || (own && !standing ? "" : WORDS[people.seats[n]])].filter(Boolean).join(", ");
  }

  // The table of the players is drawn by the server, row by row; each row is told who sits there.
  function label() {
    names.forEach((_, n) => {
      const name = find(`#seat-${n} :is(th, h3)`);
      if (!name) return;
      const old = find(".presence", name);
      const fresh = make("small", { class: `presence ${mine.includes(n) ? "you" : people.seats[n]}` }, badge(n));
      if (old?.outerHTML === fresh.outerHTML) return;
      if (old) old.replaceWith(fresh);
      else name.append(" ", fresh);
    });
  }

  function places() {
    for (const item of all("[data-place]")) {
      const n = Number(item.dataset.place);
      const who = mine.includes(n) ? "you" : "a person";
      const by = bot(n) ? `a bot plays (${bot(n)}). ${levels[bot(n)] ?? ""}` : `${who}, ${WORDS[people.seats[n]] ?? ""}`;
      find("b", item).textContent = names[n];
      find(".by", item).textContent = by.trim();
      const button = find("[data-bot]", item);
      const about = find(".about", item);
      if (about) about.hidden = !["here", "away"].includes(people.seats[n]);
      if (button) button.textContent = bot(n) ? "Let a person play" : "Let a bot play";
    }
    const crowd = people.watching - (mine.length ? 0 : 1);
    find("#spectators").textContent = crowd > 0 ? `${crowd} ${crowd === 1 ? "person watches" : "people watch"}.` : "";
  }

  // A bot plays for me

  function standIn() {
    const box = find("#standing-in");
    const seats = mine.filter((n) => bot(n));
    box.hidden = !seats.length || status.over || Boolean(status.lesson);
    const fresh = seats.flatMap((n) => [
      `A bot (${bot(n)}) plays for ${mine.length > 1 ? names[n] : "you"}. `,
      make("button", { class: "main", onclick: () => attempt(() => post(`/api/tables/${id}/seats/${n}`, {})) }, "Take my seat back"),
    ]);
    box.replaceChildren(...fresh);
  }

  // Going back

  function request() {
    const pending = status.asked;
    asked.hidden = !pending;
    if (!pending) return asked.replaceChildren();
    const speaker = mine.find((n) => !bot(n)) ?? mine[0];
    const reply = (agree) => attempt(() => post(`/api/tables/${id}/answer`, { seat: speaker, seq, agree }));
    const words = make("span", {}, `${pending.words}.${pending.yours ? "" : " The others are asked."} `);
    const buttons = pending.yours
      ? [make("button", { class: "main", onclick: () => reply(true) }, "Agree"), make("button", { onclick: () => reply(false) }, "Refuse")]
      : mine.includes(pending.seat)
        ? [make("button", { onclick: () => reply(false) }, "Go on instead")]
        : [];
    return asked.replaceChildren(words, ...buttons);
  }

  // Somebody has opened a rematch; the end of the game offers to.

  function rematch() {
    const box = find("#rematch");
    box.hidden = !status.rematch;
    const link = make("a", { class: "button main", href: `/t/${status.rematch}` }, mine.length ? "Rematch: join" : "Watch the rematch");
    box.replaceChildren(...(status.rematch ? [link] : []));
  }

  function show() {
    label();
    places();
    standIn();
    request();
    rematch();
    invitation.show(people, names, status.over);
  }

  // Names

  function renamed(fresh) {
    names.splice(0, names.length, ...fresh);
    for (const option of all("#filter option")) if (names[option.value]) option.textContent = names[option.value];
    rename();
  }

  async function ask(seat) {
    const item = find(`[data-place="${seat}"]`);
    const box = make("input", { maxlength: 40, value: names[seat], "aria-label": "Your name at this table", autocomplete: "nickname" });
    const send = async (event) => {
      event.preventDefault();
      await attempt(() => post(`/api/tables/${id}/seats/${seat}/name`, { name: box.value }));
      localStorage.setItem("cuberails-name", box.value.trim());
      form.remove();
    };
    const form = make("form", { class: "row", onsubmit: send }, box, make("button", {}, "Save"));
    find("form", item)?.remove();
    item.append(form);
    box.select();
  }

  for (const n of mine) find(`[data-place="${n}"] .by`)?.after(make("button", { class: "quiet", onclick: () => ask(n) }, "Change my name"));
  for (const item of all("[data-place]")) if (!mine.includes(Number(item.dataset.place))) item.append(house.button(Number(item.dataset.place)));
  find("#watching").hidden = mine.length > 0;
  new MutationObserver(label).observe(rows, { childList: true, subtree: true });
  show();

  return {
    // Whether other people than one's own have played here, be their seats played by bots now or not.
    company: () => people.seats.some((state, n) => !mine.includes(n) && ["here", "away"].includes(state)),
    // News has come; what people do is told at once, whatever the pace of the game.
    told(update) {
      ({ seq, status } = update);
      if (update.names) renamed(update.names);
      for (const { text } of update.notices ?? []) note(text);
      show();
    },
    present(fresh) {
      people = fresh;
      show();
    },
  };
}
