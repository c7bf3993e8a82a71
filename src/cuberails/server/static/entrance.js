// What the pages share where people sign in: one thing at a time, and what came of it said at the top.

import { find } from "./make.js";

function say(line, sentence) {
  line.textContent = sentence;
  line.hidden = !sentence;
  if (sentence) line.scrollIntoView({ block: "nearest" });
}

export const refused = (sentence) => say(find("[data-refusal]"), sentence);
export const told = (sentence) => say(find("[data-told]"), sentence);

// Whether what this browser plays as a guest comes along
export const bring = () => find("[data-bring]")?.checked ?? true;

let working = false;

// Do something when it is asked for, unless something else is being done
export function busy(work) {
  return async (event) => {
    event.preventDefault();
    if (working) return;
    working = true;
    refused("");
    if (find("[data-told]")) told("");
    try {
      await work(event);
    } catch (error) {
      refused(error.message);
    }
    working = false;
  };
}
