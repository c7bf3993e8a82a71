// The board of a new table: the built-in one, one that the server offers, or a file of one's own.

import { post } from "./ask.js";
import { find, make } from "./make.js";

const OWN = "own";
const MOST_BYTES = 400000; // what a request may hold

// `changed` is called with the key of a title when another board, or a file with a board of another title, was chosen.
export function boardPicker(form, changed) {
  const { board: select, board_file: input } = form.elements;
  const download = find("[data-board-file]", form);
  const refusal = find("[data-board-refusal]", form);
  let title = null;
  let own = null; // the file that was chosen: its name, its text, and what the server says about it
  let reading = Promise.resolve();

  const offered = () => title.boards.find((board) => board.digest === select.value);
  const view = () => (select.value === OWN ? own?.view : offered());

  function show() {
    const chosen = view();
    const file = chosen && select.value !== OWN;
    find("[data-own-board]", form).hidden = select.value !== OWN;
    if (chosen) refusal.hidden = true;
    find("[data-board-note]", form).textContent = describe(chosen);
    download.href = file && !chosen.built_in ? `/api/boards/${chosen.digest}.toml` : `/api/titles/${title.key}/board.toml`;
    download.textContent = select.value === OWN ? "download the built-in one" : "download this one";
  }

  function describe(chosen) {
    if (!chosen) return `Choose a file with a board of ${title.name}, or of any other game.`;
    const name = select.value === OWN ? `Own board: ${chosen.name}.` : "";
    return [name, chosen.note].filter(Boolean).join(" ");
  }

  async function read(file) {
    refusal.hidden = true;
    own = null;
    try {
      if (file.size > MOST_BYTES) throw new Error(`${file.name} is too long; a board file may have 100000 characters at most.`);
      const text = await file.text();
      own = { file: file.name, text, view: await post("/api/boards", { board: text, board_file: file.name }) };
    } catch (error) {
      refusal.textContent = error.message;
      refusal.hidden = false;
    }
    changed(own ? own.view.title : title.key);
  }

  select.addEventListener("change", () => changed(title.key));
  input.addEventListener("click", () => (input.value = "")); // so that a file that was mended can be chosen again
  input.addEventListener("change", () => {
    if (input.files[0]) reading = read(input.files[0]);
  });

  return {
    view: () => view() || title.boards[0],

    // The boards of a title; a file that was chosen stays chosen if it is of that title.
    offer(chosenTitle) {
      const before = title === chosenTitle || own?.view.title === chosenTitle.key ? select.value : "";
      title = chosenTitle;
      const options = title.boards.map((board) => make("option", { value: board.digest }, board.built_in ? `${board.name} (built-in)` : board.name));
      select.replaceChildren(...options, make("option", { value: OWN }, "A file of my own…"));
      select.value = before || title.boards[0].digest;
      show();
    },

    reset() {
      own = null;
      title = null;
      input.value = "";
      refusal.hidden = true;
    },

    // What a request for a table says about its board.
    async request() {
      await reading;
      if (select.value !== OWN) return offered().built_in ? {} : { board: select.value };
      if (!own) throw new Error("Choose a board file that can be used, or another board.");
      return { board: own.text, board_file: own.file };
    },
  };
}
