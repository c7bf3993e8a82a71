// Brings calls to this device, also while no page is open: shows them, and opens the table when one is pressed.
// Nothing is kept here: pages always come from the server.

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("push", (event) => event.waitUntil(show(event.data?.json() ?? {})));
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.path));
});

// One about the same table takes the place of the one before.
async function show({ heading = "cuberails", text = "", path = "/", waiting = 0 }) {
  await self.registration.showNotification(heading, {
    body: text,
    tag: path,
    renotify: true,
    icon: "/static/icon-192.png",
    badge: "/static/badge.png",
    data: { path },
  });
  await self.navigator.setAppBadge?.(waiting);
}

async function open(path) {
  const url = new URL(path, self.location.origin).href;
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = pages.find((page) => page.url.split("#")[0] === url);
  return there ? there.focus() : self.clients.openWindow(url);
}

// The browser has given this device another address; not all browsers say which, or what it was before.
async function renew({ newSubscription, oldSubscription }) {
  const subscription = newSubscription ?? (await self.registration.pushManager.subscribe(oldSubscription?.options ?? (await wanted())));
  const { endpoint, keys } = subscription.toJSON();
  const body = JSON.stringify({ kind: "push", target: endpoint, keys, label: "This device" });
  await fetch("/api/notifications", { method: "POST", headers: { "content-type": "application/json" }, body });
}

async function wanted() {
  const { push_key: applicationServerKey } = await (await fetch("/api/notifications")).json();
  return { userVisibleOnly: true, applicationServerKey };
}
