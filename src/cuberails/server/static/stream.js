// News of the table as server-sent events. What was missed while asleep or offline comes with the next event. How far
// a bot is that thinks comes in events of its own.
//
// A browser opens only a few connections to one server: a page that nobody sees gives its own back, and only looks
// in now and then, so that its title still says whose turn it is.

const HIDDEN = 5_000; // after so long out of sight a page gives its connection back
const LOOK = 25_000; // and so often it looks in

// `people` hears of those at the table: `last` line of the chat that is known, `hear` new ones, who is `present`, and
// what oneself has `ordered`.
export function listen(id, seen, receive, advance, connected, people) {
  let source = null;
  let timer = 0;

  function open() {
    const glance = document.hidden;
    clearTimeout(timer);
    source?.close();
    const known = `since=${Math.max(0, seen())}&chat=${people.last()}`; // who only looks in is not there
    source = new EventSource(`/api/tables/${id}/events?${known}${glance ? "&glance=1" : ""}`);
    source.onopen = () => connected(true);
    source.onmessage = (event) => {
      receive(JSON.parse(event.data));
      if (glance && document.hidden) rest();
    };
    source.addEventListener("progress", (event) => advance(JSON.parse(event.data)));
    source.addEventListener("presence", (event) => people.present(JSON.parse(event.data)));
    source.addEventListener("removed", () => location.reload()); // from now on this is the page of somebody who watches
    source.addEventListener("deleted", () => location.reload()); // that says so
    source.addEventListener("clocks", (event) => people.clocks(JSON.parse(event.data)));
    source.addEventListener("orders", (event) => people.ordered(JSON.parse(event.data)));
    source.addEventListener("chat", (event) => people.hear(JSON.parse(event.data)));
    source.onerror = () => {
      connected(false);
      if (source.readyState === EventSource.CLOSED) later(open, 2000);
    };
  }

  function rest() {
    source.close();
    later(open, LOOK);
  }

  function later(task, time) {
    clearTimeout(timer);
    timer = setTimeout(task, time);
  }

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) later(rest, HIDDEN);
    else if (source.readyState === EventSource.CLOSED) open();
    else clearTimeout(timer);
  });
  addEventListener("online", open);
  addEventListener("pagehide", () => (clearTimeout(timer), source.close()));
  addEventListener("pageshow", (event) => event.persisted && open());
  open();
  return open;
}
