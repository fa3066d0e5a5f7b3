// A chunk map's rows as cells. Plain functions, no page needed.

export const CELLS = {
  "#": { name: "handed", text: "handed out" },
  "+": { name: "partly", text: "partly handed out" },
  ":": { name: "pieces", text: "free, in pieces smaller than a cell" },
  ".": { name: "free", text: "free" },
  _: { name: "reserved", text: "reserved, not committed" },
};

/** What a character stands for; one that is not known is taken for what is only reserved. */
export function cellOf(character) {
  return CELLS[character] ?? CELLS._;
}

/** A map's cells in order of address, as one string. */
export function cellsOf(map) {
  return (map.rows ?? []).join("");
}

/** How many of which: "512 handed out, 30 free". */
export function countsOf(cells) {
  return Object.entries(CELLS)
    .map(([character, { text }]) => [cells.split(character).length - 1, text])
    .filter(([count]) => count > 0);
}

/** The longest run of cells that are wholly free. */
export function longestFree(cells) {
  return Math.max(0, ...cells.split(/[^.]/).map((run) => run.length));
}
