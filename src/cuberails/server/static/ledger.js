// The tables of railroads and players: sorted on demand, railroads that have not started folded away.

import { all, find, make } from "./make.js";

// A figure for sorting: the first number of a cell, else its words.
function figure(row, label) {
  const cell = label ? all("[data-fact]", row).find((node) => node.dataset.fact === label) : find("th", row);
  const text = cell?.textContent.trim() ?? "";
  const number = text.match(/-?\d+(\.\d+)?/);
  return { number: number ? Number(number[0]) : -Infinity, text };
}

function table(node, own) {
  let by = null; // the label of the column; null is the order of the board, with those that have started first
  let up = false;
  const first = new Map(all("tbody", node).map((row, n) => [row.id, n]));

  function order(a, b) {
    const idle = (row) => Number(row.classList.contains("idle"));
    if (by === null) return idle(a) - idle(b) || first.get(a.id) - first.get(b.id);
    const [x, y] = [figure(a, by), figure(b, by)];
    const sign = up ? 1 : -1;
    if (by === "") return sign * -1 * x.text.localeCompare(y.text);
    return sign * (x.number - y.number || x.text.localeCompare(y.text)) || first.get(a.id) - first.get(b.id);
  }

  // The first press shows the largest first, the second the smallest, the third the order of the board.
  function sort(label) {
    if (by !== label) [by, up] = [label, false];
    else if (!up) up = true;
    else by = null;
    refresh();
  }

  function refresh() {
    const rows = all("tbody", node);
    for (const row of rows) if (!first.has(row.id)) first.set(row.id, first.size);
    const sorted = [...rows].sort(order);
    if (sorted.some((row, n) => row !== rows[n])) node.append(...sorted);
    for (const button of all("[data-sort]", node)) {
      const sign = by === button.dataset.sort ? (up ? "ascending" : "descending") : "none";
      button.closest("th").setAttribute("aria-sort", sign);
    }
    for (const cell of all("[data-seat]", node)) cell.classList.toggle("me", own.includes(Number(cell.dataset.seat)));
  }

  node.addEventListener("click", (event) => {
    const button = event.target.closest("[data-sort]");
    if (button) sort(button.dataset.sort);
  });
  return refresh;
}

export function comparing(own) {
  const railroads = find("#companies");
  const folded = find("#folded");
  const tables = [table(railroads, own), table(find("#seats"), own)];

  function fold() {
    const idle = all(".company.idle:not(.offers)", railroads).length;
    const open = railroads.classList.contains("unfolded");
    folded.hidden = !idle;
    folded.textContent = open ? "Fold those that have not started" : `${idle} more, not started`;
    folded.setAttribute("aria-expanded", open);
  }

  folded.addEventListener("click", () => (railroads.classList.toggle("unfolded"), fold()));

  // What can be done about a railroad stands below its figures; `offers`: key of a railroad -> nodes.
  function offer(offers) {
    for (const line of all(".do", railroads)) line.remove();
    for (const row of all(".company", railroads)) row.classList.toggle("offers", offers.has(row.id));
    railroads.classList.toggle("offering", offers.size > 0);
    for (const [key, nodes] of offers) {
      const row = document.getElementById(key);
      const across = find("tr", row)?.cells.length;
      row?.append(make("tr", { class: "do" }, make("td", { colspan: across }, ...nodes)));
    }
    fold();
  }

  function refresh() {
    for (const each of tables) each();
    fold();
  }

  refresh();
  return { refresh, offer };
}
