// What a share will pay, as a small drawing of how likely each amount is, and as text.

import { make } from "./make.js";

const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT] = [150, 30]; // of the bars; the range that holds 80 % of them stands below

function draw(tag, attributes) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

// A number as people write it, a small one with a decimal.
export const plain = (value) => (Math.abs(value) < 10 ? String(Math.round(10 * value) / 10) : String(Math.round(value)));

// Amounts in dollars or points.
export function amounts(unit) {
  return unit === "$" ? (value) => `$${plain(value)}` : (value) => `${plain(value)} ${plain(value) === "1" ? "point" : "points"}`;
}

// Bars from 0 to `most`: full ones within the range, hollow ones outside of it, and a mark at the mean.
function drawing({ mean, low, high, bars }, most, label) {
  const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT + 6}`, class: "spread", role: "img", "aria-label": label });
  const x = (value) => (WIDTH * Math.min(value, most)) / most;
  const highest = Math.max(...bars.map(({ share }) => share));
  for (const { from, to, share: part } of bars.filter(({ share }) => share)) {
    const inside = to > low && from <= high;
    const height = Math.max(1, (HEIGHT - 2) * (part / highest));
    const width = Math.max(2, x(to) - x(from) - 1);
    svg.append(draw("rect", { x: x(from) + 0.5, y: HEIGHT - height, width, height, class: inside ? "inside" : "outside" }));
  }
  svg.append(draw("path", { d: `M0 ${HEIGHT + 0.5}H${WIDTH}`, class: "axis" }));
  svg.append(draw("path", { d: `M${x(mean)} ${HEIGHT + 1}l-4 5h8z`, class: "mean" }));
  return svg;
}

export const playOuts = (plays) => (plays === 1 ? "1 play-out" : `${plays} play-outs`);

// `gives` is what shares do: "pay", "score", or "bring" dividends and their value at the end.
export function spread(name, expected, gives, said, most) {
  const { mean, low, high, plays } = expected;
  const range = `${said(low).replace(/ points?$/, "")}–${said(high).replace("$", "")}`;
  const label = `What a share of ${name} will ${gives} until the end, in ${playOuts(plays)}: ${said(mean)} on the average, 80 % between ${said(low)} and ${said(high)}`;
  return [drawing(expected, most, label), make("p", {}, `will ${gives} `, make("b", {}, said(mean)), " ", make("small", {}, `80 %: ${range}`))];
}
