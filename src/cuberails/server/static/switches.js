// Switches that this browser remembers. Each is a checkbox with data-switch="name"; all are off at first.

export function switched(box) {
  const key = `cuberails-${box.dataset.switch}`;
  box.checked = localStorage.getItem(key) === "on";
  box.addEventListener("change", () => localStorage.setItem(key, box.checked ? "on" : "off"));
  return () => box.checked;
}
