// Being called: the next table that waits, the number on the icon of the app, and whether this table calls at all.

import { get, post, remove } from "./ask.js";
import { find } from "./make.js";

// Which of the ways to be called is this browser.
export const device = {
  get id() {
    return localStorage.getItem("cuberails-device");
  },
  set id(id) {
    localStorage.setItem("cuberails-device", id);
  },

  // Nobody is called here any more.
  async forget() {
    const id = this.id;
    localStorage.removeItem("cuberails-device");
    const subscription = await (await worker())?.pushManager.getSubscription();
    await subscription?.unsubscribe();
    if (id) await remove(`/api/notifications/${id}`);
  },
};

const worker = () => navigator.serviceWorker?.getRegistration("/");

// Whoever looks at a table needs no message about it any more.
async function dismiss(path) {
  if (document.hidden) return;
  for (const shown of (await (await worker())?.getNotifications({ tag: path })) || []) shown.close();
}

// How many tables wait, on the icon of the installed app; in other browsers this does nothing.
export function badge(count) {
  navigator.setAppBadge?.(count).catch(() => {});
}

export function calling(id, { attempt, note }) {
  const link = find(".next");
  const mute = find("#mute");

  mute?.addEventListener("change", () =>
    attempt(async () => {
      await post(`/api/tables/${id}/mute`, { muted: mute.checked });
      note(mute.checked ? "This table does not call you any more." : "This table calls you again.");
    }),
  );

  const seen = () => dismiss(`/t/${id}`).catch(() => {});
  document.addEventListener("visibilitychange", seen);
  seen();

  // After a decision another table may wait, or none.
  async function refresh() {
    const waiting = await get("/api/waiting");
    const next = waiting.find((table) => table.id !== id);
    link.hidden = !next;
    if (next) link.href = next.page;
    badge(waiting.length);
  }

  return { refresh, next: () => (link.hidden ? note("No other table waits for you.") : link.click()) };
}
