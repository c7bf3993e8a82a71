// News of the table as server-sent events. What was missed while asleep or offline comes with the next event.

export function listen(id, seen, tell, connected) {
  let source = null;
  let again = 0;
  let hidden = 0;

  function open() {
    clearTimeout(again);
    source?.close();
    source = new EventSource(`/api/tables/${id}/events?since=${seen()}`);
    source.onopen = () => connected(true);
    source.onmessage = (event) => tell(JSON.parse(event.data));
    source.onerror = () => {
      connected(false);
      if (source.readyState === EventSource.CLOSED) again = setTimeout(open, 2000);
    };
  }

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) hidden = Date.now();
    else if (Date.now() - hidden > 30_000) open();
  });
  addEventListener("online", open);
  addEventListener("pagehide", () => source.close());
  addEventListener("pageshow", (event) => event.persisted && open());
  open();
  return open;
}
