// Switches that this browser remembers. Each is a checkbox with data-switch="name"; all are off at first but those with data-first="on".

export function switched(box) {
  const key = `cuberails-${box.dataset.switch}`;
  box.checked = (localStorage.getItem(key) ?? box.dataset.first) === "on";
  box.addEventListener("change", () => localStorage.setItem(key, box.checked ? "on" : "off"));
  return () => box.checked;
}
