// The invitation: each open seat with its link to copy, to share and to scan, and whether somebody has come.

import { find, make } from "./make.js";

export function inviting({ id, names, invites, count, presence }, { copy, note }) {
  const dialog = find("#invite");
  const button = find("[data-invite]");
  const items = new Map();
  const open = (people) => invites.filter(({ seat }) => people.seats[seat] === "open");

  async function share(link, name) {
    try {
      await navigator.share({ title: document.title, text: `A seat for you (${name})`, url: link });
    } catch (error) {
      if (error.name !== "AbortError") note("Sharing did not work; copy the link instead.");
    }
  }

  function item({ seat, link }) {
    const url = location.origin + link;
    const name = make("b", {}, names[seat]);
    const state = make("span", { class: "state", role: "status" });
    const buttons = make("p", { class: "row" }, make("button", { type: "button", onclick: () => copy(url) }, "Copy link"));
    if (navigator.share) buttons.append(make("button", { type: "button", onclick: () => share(url, names[seat]) }, "Share…"));
    const code = make("img", { src: `/api/tables/${id}/seats/${seat}/qr.svg`, alt: `QR code of the link for ${names[seat]}`, width: 164, height: 164, loading: "lazy" });
    const box = make("li", { "data-seat": seat }, make("p", { class: "row" }, name, state), buttons, code);
    items.set(seat, { box, name, state, code, buttons });
    return box;
  }

  function show(people, called, over) {
    button.hidden = over || !open(people).length;
    for (const [seat, { box, name, state, code, buttons }] of items) {
      const come = people.seats[seat] !== "open";
      name.textContent = called[seat];
      const words = !come ? "○ not come yet" : people.seats[seat] === "bot" ? "a bot plays" : "✓ joined";
      if (state.textContent !== words) state.textContent = words;
      box.classList.toggle("joined", come);
      code.hidden = buttons.hidden = come;
    }
  }

  const local = /^(localhost|127\..*|\[::1\])$/.test(location.hostname);
  if (local) find("ul", dialog).before(make("p", { class: "note" }, "You opened this server by an address that works on this computer only. For friends elsewhere, open it by the address that they can reach, and invite them from there."));
  find("ul", dialog).append(...invites.map(item));
  button.addEventListener("click", () => dialog.showModal());
  find("[data-close]", dialog).addEventListener("click", () => dialog.close());
  const seen = `cuberails-invited-${id}`;
  if (count === 0 && open(presence).length && !sessionStorage.getItem(seen)) dialog.showModal();
  sessionStorage.setItem(seen, "yes");
  return { show };
}
