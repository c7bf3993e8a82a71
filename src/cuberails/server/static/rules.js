// Rules: search, and links from a number to its rule.

import { all, find, make } from "./make.js";

const NUMBER = /\b([A-Z]{1,3}\d+\.\d+)\b/;

// A sentence in which rule numbers are links.
export function cited(sentence) {
  return sentence.split(NUMBER).map((part, n) => (n % 2 ? make("a", { class: "cite", href: `#rule-${part}` }, part) : part));
}

// A press on such a link is for the page: it shows the rule where its rules are.
export function linking(read) {
  addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#rule-"]');
    if (!link) return;
    event.preventDefault();
    read(link.getAttribute("href").slice(6));
  });
}

export function searching(panel) {
  const input = find("[data-search]", panel);
  const none = make("p", { class: "no-rule", role: "status" });
  input.closest("label").after(none);
  function search() {
    const words = input.value.toLowerCase().split(/\s+/);
    for (const rule of all(".rule", panel)) {
      const text = rule.textContent.toLowerCase();
      rule.hidden = !words.every((word) => text.includes(word));
    }
    for (const chapter of all(".chapter", panel)) chapter.hidden = !find(".rule:not([hidden])", chapter);
    none.textContent = find(".rule:not([hidden])", panel) ? "" : `No rule has “${input.value.trim()}” in it. Try a shorter word.`;
  }
  input.addEventListener("input", search);
  return { clear: () => ((input.value = ""), search()), focus: () => input.focus() };
}

for (const panel of all("[data-rules]:not(.panel)")) searching(panel);
