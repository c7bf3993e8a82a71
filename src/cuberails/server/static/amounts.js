// Fields for choices that differ in an amount, and lists for those that are put together word by word.

import { capital, find, make } from "./make.js";

const LEAP = 5; // Page Up and Page Down change an amount by so many steps

// One field for a bid or a number of shares. `lines` are ranges of amounts; with several, a list says which.
export function stepper({ lines, name, word, cash, phrase, choose, preview, main }) {
  let line = lines[0];
  const number = make("input", { type: "number", inputmode: "numeric", "aria-label": "Amount", class: "amount" });
  const go = make("button", main ? { class: "main" } : {});
  const range = make("span", { class: "range" });
  const text = () => phrase(line, number.value);
  const valid = () => number.value !== "" && number.checkValidity();

  // What is wrong with what was typed; "" if nothing is.
  function fault() {
    if (valid()) return "";
    const value = Number(number.value);
    if (number.value !== "" && value > line.to) return `at most ${line.to}`;
    if (number.value !== "" && value < line.from) return `at least ${line.from}`;
    return line.step > 1 ? `${line.from} to ${line.to}, by ${line.step}` : "a whole number";
  }
  function limits() {
    if (fault()) return fault();
    if (cash === null) return line.step > 1 ? `${line.from} to ${line.to}, by ${line.step}` : `${line.from} to ${line.to}`;
    return `at least $${line.from} · you have $${cash}, $${cash - Number(number.value)} left`;
  }
  function label() {
    go.textContent = valid() ? capital(text()) : capital(word);
    go.dataset.action = text();
    go.disabled = !valid();
    range.textContent = limits();
    range.classList.toggle("refusal", !valid());
  }
  function pick(next) {
    line = next;
    Object.assign(number, { min: line.from, max: line.to, step: line.step, value: line.from });
    label();
  }
  function by(steps) {
    if (steps > 0) number.stepUp(steps);
    else number.stepDown(-steps);
    label();
    preview(text());
  }
  function key(event) {
    if (event.key === "Enter" && valid()) choose(text());
    else if (event.key === "PageUp") by(LEAP);
    else if (event.key === "PageDown") by(-LEAP);
    else return;
    event.preventDefault();
  }
  number.addEventListener("input", () => (label(), valid() && preview(text())));
  number.addEventListener("keydown", key);
  number.addEventListener("focus", () => number.select());
  go.addEventListener("click", () => choose(text()));
  const which = make("select", { "aria-label": capital(word), onchange: (event) => pick(lines[event.target.value]) });
  which.append(...lines.map((each, n) => make("option", { value: n }, name(each))));
  const less = make("button", { class: "step", "aria-label": "Less", onclick: () => by(-1) }, "−");
  const more = make("button", { class: "step", "aria-label": "More", onclick: () => by(1) }, "+");
  const single = name(line) === capital(word) ? [] : [make("span", {}, name(line))];
  pick(line);
  return make("span", { class: "stepper" }, ...(lines.length > 1 ? [which] : single), less, number, more, go, range);
}

// Actions of many kinds, picked word by word: each list offers what can follow the words before it.
export function picker({ word, texts, choose, preview }) {
  const phrases = texts.map((text) => text.slice(word.length).trim().split(" "));
  const lists = make("span", { class: "row" });
  const go = make("button", { onclick: () => choose(go.dataset.action) });

  function fill(wanted) {
    let left = phrases;
    const picked = [];
    lists.replaceChildren();
    for (let n = 0; left.some((words) => words.length > n); n++) {
      const offers = [...new Set(left.map((words) => words[n] ?? ""))];
      picked.push(offers.includes(wanted[n]) ? wanted[n] : offers[0]);
      left = left.filter((words) => (words[n] ?? "") === picked[n]);
      lists.append(offers.length > 1 ? menu(offers, picked, n) : make("span", {}, offers[0]));
    }
    go.dataset.action = [word, ...picked].join(" ").trim();
    go.textContent = capital(go.dataset.action);
  }
  function menu(offers, picked, n) {
    const list = make("select", { "aria-label": `${capital(word)}, word ${n + 1}` });
    list.append(...offers.map((offer) => make("option", { value: offer }, offer || "–")));
    list.value = picked[n];
    list.addEventListener("change", () => {
      fill([...picked.slice(0, n), list.value, ...picked.slice(n + 1)]);
      find(`:nth-child(${n + 1})`, lists)?.focus();
      preview(go.dataset.action);
    });
    return list;
  }
  fill([]);
  return make("span", { class: "picker row" }, lists, go);
}
