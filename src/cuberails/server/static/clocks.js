// The clocks of the seats. They tick here by themselves: the server says what each seat has left, which clock runs and
// when it stands still, and that again only when something about it has changed.

import { find, make } from "./make.js";

const MINUTE = 60, HOUR = 60 * MINUTE, DAY = 24 * HOUR; // in seconds, as all times here
const LOW = 30; // so little time left is pointed out in a live game

// A length of time as a clock shows it, or in words if it is long.
export function length(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (n) => String(n).padStart(2, "0");
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)}:${two(whole % MINUTE)}`;
  if (whole < 10 * HOUR) return `${Math.floor(whole / HOUR)}:${two(Math.floor((whole % HOUR) / MINUTE))}:${two(whole % MINUTE)}`;
  if (whole < 2 * DAY) return `${Math.floor(whole / HOUR)} h`;
  return `${Math.floor(whole / DAY)} d ${Math.floor((whole % DAY) / HOUR)} h`;
}

function about(seconds) {
  const [size, word] = seconds < 90 ? [1, "s"] : seconds < 90 * MINUTE ? [MINUTE, "min"] : seconds < 36 * HOUR ? [HOUR, "h"] : [DAY, "days"];
  return `${Math.max(1, Math.round(seconds / size))} ${word}`;
}

// How quickly a seat usually answers; "" where it has not answered yet.
const answers = (usual) => (usual === null ? "" : `usually answers in ${about(usual)}`);

export function ticking({ clocks, time_control: control, mine, names }) {
  const line = find("#clock");
  const rows = find("#seats");
  let now = clocks; // what the server said last
  let ahead = 0; // the clock of the server minus that of this page
  let then = null; // what each seat had left at the moment that is shown; null is the present

  const seconds = () => performance.now() / 1000;
  const server = () => seconds() + ahead;

  function receive(fresh) {
    now = fresh;
    ahead = fresh.now - seconds();
    habits();
    show();
  }

  // Seconds that the clock has run since the server said what was left.
  function ran(until) {
    const stood = now.stops.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(to, until) - Math.max(from, now.since)), 0);
    return Math.max(0, until - now.since - stood);
  }

  const stands = () => now.stops.some(([from, to]) => from <= server() && server() < to);
  const left = (seat) => (then ? then[seat] : Math.max(0, now.left[seat] - (seat === now.running ? ran(server()) : 0)));

  function label() {
    names.forEach((_, seat) => {
      const name = find(`#seat-${seat} :is(th, h3)`);
      if (!name || now.left[seat] === null) return; // bots need no clock
      const runs = !then && seat === now.running;
      const kind = `clock${runs ? (stands() ? " stands" : " runs") : ""}${runs && low(seat) ? " low" : ""}`;
      const title = ["Time left", answers(now.usual[seat])].filter(Boolean).join("; ");
      const fresh = make("small", { class: kind, title }, length(left(seat)));
      const old = find(".clock", name);
      if (old?.outerHTML === fresh.outerHTML) return;
      if (old) old.replaceWith(fresh);
      else name.append(" ", fresh);
    });
  }

  const low = (seat) => control.kind === "live" && left(seat) < LOW;

  function sentence() {
    if (then) return "";
    if (now.waiting) return `${control.words}. Time begins to run when everybody has come.`;
    if (now.running < 0) return "";
    const own = mine.includes(now.running);
    const whose = own && mine.length === 1 ? "Your" : `${names[now.running]}’s`;
    const stopped = !stands() ? "" : now.asked ? ", which stands still while an answer is waited for" : ", which stands still now (quiet hours or holidays)";
    const until = control.kind === "live" ? "" : ` (until ${new Date(now.deadline * 1000).toLocaleString([], { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" })})`;
    const usual = own ? "" : answers(now.usual[now.running]);
    return `${whose} time: ${length(left(now.running))}${until}${stopped}${usual && `; ${usual}`}`;
  }

  // Beside the names in the list of seats stands how each usually answers.
  function habits() {
    for (const [seat, usual] of now.usual.entries()) find(`[data-place="${seat}"] .answers`).textContent = answers(usual);
  }

  function show() {
    label();
    const words = sentence();
    line.hidden = !words;
    if (line.textContent !== words) line.textContent = words;
    line.classList.toggle("low", !then && now.running >= 0 && low(now.running));
  }

  if (!clocks) return { receive: () => {}, at: () => {} };
  new MutationObserver(label).observe(rows, { childList: true });
  receive(clocks);
  setInterval(show, 1000);
  return {
    receive,
    // What each seat had left at a past moment, or null for the present.
    at: (moment) => ((then = moment), show()),
  };
}
