// A lesson: what is said before and after each decision, and which choice is right. The server derives it all from the log.

import { post } from "./ask.js";
import { all, capital, find, make } from "./make.js";
import { cited } from "./rules.js";

const shape = (text) => text.replace(/\d+/, "#"); // the same but for the amount

// `act` plays an action, `back` takes the game back to a moment, `attempt` shows what is refused.
export function coaching({ title, name, usual, act, back, attempt }) {
  const box = find("#coach");
  let lesson = null; // what the server says about the lesson
  let mine = false; // whether it is my turn
  let shown = ""; // what is shown, so that the same is not said twice
  let refocus = false; // who presses the coach's buttons by keyboard stays there
  let returning = false; // going back waits until it is my turn: while others move, the table is somewhere else already
  let anyway = ""; // an action that may be played although it is not the right one

  const line = (text, kind) => make("p", { class: kind }, ...cited(text));
  const press = (label, deed, kind = "quiet") => make("button", { class: kind, onclick: () => attempt(deed) }, label);
  const home = () => make("a", { class: "button", href: "/" }, "Home");

  function progress() {
    const done = lesson.farewell ? lesson.steps : lesson.step;
    const label = lesson.farewell ? "The lesson is over" : `Decision ${Math.min(done + 1, lesson.steps)} of ${lesson.steps}`;
    return make("p", { class: "step-of" }, make("b", {}, label), make("progress", { max: lesson.steps, value: done, "aria-hidden": "true" }));
  }

  async function real() {
    const seats = [{ by: "me", name }, { by: "bot", level: usual }, { by: "bot", level: usual }];
    location.href = (await post("/api/tables", { title, seats })).page;
  }

  function ended() {
    const row = [press("Play on against bots", () => (box.hidden = true), "main"), press("Start a real game", real, ""), home()];
    return [progress(), line(lesson.after, "after"), line(lesson.farewell, "before"), make("p", { class: "row" }, ...row)];
  }

  function left() {
    const row = [press("Back to the lesson", () => ((returning = true), goBack()), "main")];
    const words = "You have left the lesson, and the others play as easy bots now. Play on, or go back to where you left it.";
    return [progress(), line(words, "before"), make("p", { class: "row" }, ...row)];
  }

  function goBack() {
    if (!returning || !mine || lesson?.back === undefined) return undefined;
    returning = false;
    return back(lesson.back);
  }

  function content() {
    if (lesson.farewell) return lesson.after ? ended() : [];
    if (lesson.back !== undefined) return left();
    if (!lesson.action || !mine) return [progress(), line("The others are at it…", "before")];
    const after = lesson.after ? [line(lesson.after, "after")] : [];
    const row = [make("span", {}, "Now: ", make("b", {}, capital(lesson.action))), press("Do it for me", () => act(lesson.action))];
    return [progress(), ...after, line(lesson.before, "before"), make("p", { class: "row" }, ...row)];
  }

  // Another choice is answered kindly, and not played unless that is wanted.
  function hold(text) {
    if (!lesson?.action || !mine || text === lesson.action || text === anyway) return false;
    const really = () => ((anyway = text), act(text));
    find(".kindly", box)?.remove();
    const answer = [`“${capital(text)}” is possible too. But here, try “${capital(lesson.action)}”. `, press("Do it anyway", really)];
    box.append(make("p", { class: "kindly", role: "alert" }, ...answer));
    box.scrollIntoView({ block: "nearest" });
    return true;
  }

  // The right choice stands out wherever it is offered, also in a window that is opened later.
  function point() {
    const right = mine ? lesson?.action : undefined;
    for (const node of all("[data-action], [data-opens]")) {
      const leads = node.dataset.opens && right?.toLowerCase().startsWith(`${node.dataset.opens.toLowerCase()} `);
      node.classList.toggle("taught", Boolean(right) && (node.dataset.action === right || Boolean(leads)));
    }
    for (const field of all("input.amount")) {
      const now = find("[data-action]", field.parentElement)?.dataset.action;
      field.classList.toggle("taught", Boolean(right) && now !== right && shape(now ?? "") === shape(right));
    }
  }

  function show(now, yours, suggest) {
    lesson = now ?? null;
    mine = yours;
    const key = JSON.stringify([lesson, mine]);
    if (lesson && mine && lesson.action) suggest([lesson.action]);
    if (key === shown) return;
    shown = key;
    attempt(async () => goBack());
    anyway = "";
    const parts = lesson ? content() : [];
    refocus ||= box.contains(document.activeElement);
    box.hidden = !parts.length;
    box.replaceChildren(...parts);
    if (refocus && find("button", box)) ((refocus = false), find("button", box).focus({ preventScroll: true }));
    if (lesson) watch.observe(document.body, { subtree: true, childList: true, attributeFilter: ["data-action"] });
    point();
  }

  const watch = new MutationObserver(point);
  return { show, hold };
}
