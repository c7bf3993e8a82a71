// The pace of the others: what they did is put on the table step by step, not all at once. News waits in a row, and
// comes out slowly, quickly or at once. A press or Enter shows all of it, a pause holds it, a step shows the next.
//
// The same buttons play a game that is over, or any past moment, on from there.

import { all, find } from "./make.js";

const GAPS = { slow: 1600, normal: 600, instant: 0 }; // milliseconds between two steps
const LEAST = 150; // a long row at the normal pace goes faster, but not faster than this
const KEPT = "cuberails-pace";
const GUARD = 400; // so long after a key has shown what waits, such keys do nothing: nobody has read the new question yet
const SHOWS = /^(Enter| |\d)$/; // keys that show at once what waits; the others have a meaning of their own
const APART = ".bar, .tabs, .panel, #cards, a, summary"; // a press here is about something else

export function pacing(apply, { shown, time, over, mine }) {
  const menu = find("#pace");
  const button = find("[data-pace=play]");
  const row = []; // news that has come and is not on the table yet
  let held = false; // whether it waits until somebody goes on
  let last = -Infinity; // when the last step was put on the table
  let timer = 0;
  let replay = null; // the replay that runs

  menu.value = GAPS[localStorage.getItem(KEPT)] === undefined ? "normal" : localStorage.getItem(KEPT);

  function gap() {
    const usual = GAPS[menu.value];
    return menu.value === "slow" ? usual : Math.min(usual, Math.max(LEAST, usual - 50 * row.length));
  }

  // Only single steps of others wait: whoever comes back gets all at once, and what was taken back is not played.
  function waits(update) {
    return update.news.length === 1 && !mine.includes(update.news[0].seat) && !document.hidden;
  }

  function next() {
    const update = row.shift();
    if (update.news.length) last = performance.now();
    apply(update);
  }

  function run() {
    clearTimeout(timer);
    while (row.length) {
      const wait = waits(row[0]) ? last + gap() - performance.now() : 0;
      if (held && waits(row[0])) break;
      if (wait > 0) {
        timer = setTimeout(run, wait);
        break;
      }
      next();
    }
    say();
  }

  function receive(update) {
    row.push(update);
    run();
  }

  function flush() {
    clearTimeout(timer);
    while (row.length) next();
    say();
  }

  // Playing the past

  function stop() {
    replay = null;
    say();
  }

  async function play() {
    const mine = (replay = {});
    say();
    if (!time.away()) await time.first();
    while (replay === mine && time.away()) {
      await new Promise((done) => setTimeout(done, GAPS[menu.value] || LEAST));
      if (replay === mine && time.away()) await time.on();
    }
    if (replay === mine) stop();
  }

  // The buttons

  function toggle() {
    if (replay) return stop();
    if (time.away() || over()) return play();
    held = !held;
    return run();
  }

  function step() {
    if (replay) stop();
    if (time.away()) return time.on();
    if (row.length) next();
    return say();
  }

  function say() {
    const past = time.away() || over();
    const going = replay !== null || (!past && !held);
    button.classList.toggle("going", going);
    button.setAttribute("aria-label", going ? "Pause" : past ? "Play" : "Continue");
    button.setAttribute("aria-pressed", String(!past && held));
    document.body.classList.toggle("held", held && row.length > 0);
    document.body.classList.toggle("behind", row.length > 0);
  }

  // A press anywhere shows at once what waits; while it is held, only a press that wants to act.
  function pressed(event) {
    const node = event.target.closest ? event.target : document.body;
    const acts = node.closest("[data-do], #choices, #asked, .target");
    if (!row.length || !(acts || (!held && !node.closest(APART)))) return;
    flush();
    spent = !node.closest("[data-do], #asked");
  }

  function typed(event) {
    if (!SHOWS.test(event.key) || event.target.closest?.("button, a, summary, input, select, textarea")) return;
    const shows = row.length > 0 && !held;
    if (!shows && performance.now() > guarded) return;
    if (shows) guarded = performance.now() + GUARD;
    if (shows) flush();
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  let down = null;
  let spent = false; // the press showed what waited, and decides nothing besides
  let guarded = 0; // until when keys that show what waits are spent
  addEventListener("pointerdown", (event) => ([down, spent] = [event, false]), true);
  addEventListener("click", (event) => spent && (event.preventDefault(), event.stopPropagation(), (spent = false)), true);
  addEventListener("pointerup", (event) => Math.hypot(event.clientX - down?.clientX, event.clientY - down?.clientY) < 6 && pressed(event), true);
  addEventListener("keydown", typed, true);
  document.addEventListener("visibilitychange", () => document.hidden && !held && flush());
  menu.addEventListener("change", () => (localStorage.setItem(KEPT, menu.value), run()));
  button.addEventListener("click", toggle);
  for (const node of all("[data-pace=step]")) node.addEventListener("click", step);
  say();
  return { receive, toggle, step, say, seen: () => row.at(-1)?.seq ?? shown() };
}
