// Where a pool's chunks lie: a square for each cell of address space.

import { h, prepared } from "../library/dom.js";
import { colour, onColours } from "../library/palette.js";
import { bytesText, nounText } from "../library/text.js";

const CELLS = {
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

const CELL = 11;

export const chunkMap = {
  id: "map",
  title: "Chunk map",
  absent: "chunk maps",
  seen: (report) => Boolean(report.map?.length),
  make: makeMaps,
};

const HINT = "Addresses run from left to right, then down. Point at a cell, or use the arrow keys on a map, to read what it is.";

function makeMaps(body) {
  const legend = Object.values(CELLS).map((cell) => h("li", null, h("span", { class: "key " + cell.name }), cell.text));
  const figures = h("div");
  body.append(h("p", { class: "hint" }, HINT), h("ul", { class: "legend" }, legend), figures);
  const maps = new Map();
  const redraw = () => maps.forEach((map) => map.draw());
  window.addEventListener("resize", redraw);
  onColours(redraw);
  return (report) => {
    for (const data of report.map) {
      if (!maps.has(data.pool)) {
        maps.set(data.pool, new PoolMap(data.pool, figures));
      }
      maps.get(data.pool).update(data);
    }
  };
}

/** The map of one pool. */
class PoolMap {
  #canvas = h("canvas", { class: "cells", tabindex: "0", role: "img" });
  #said = h("output", { class: "said" });
  #summary = h("span");
  #cells = "";
  #cellBytes = null;
  #selected = -1;

  constructor(pool, parent) {
    const caption = h("figcaption", null, h("h3", null, pool), this.#summary);
    parent.append(h("figure", { class: "map" }, caption, this.#canvas, this.#said));
    this.#canvas.addEventListener("pointermove", (event) => this.#select(this.#at(event)));
    this.#canvas.addEventListener("pointerleave", () => this.#select(-1));
    this.#canvas.addEventListener("keydown", (event) => this.#onKey(event));
  }

  update(data) {
    this.#cells = cellsOf(data);
    this.#cellBytes = data.cellBytes ?? null;
    this.#summary.textContent = this.#describe();
    this.#canvas.setAttribute("aria-label", "Map of the pool: " + this.#describe());
    this.#select(this.#selected);
  }

  #describe() {
    const size = (count) => (this.#cellBytes ? bytesText(count * this.#cellBytes) : nounText(count, "cell"));
    const counts = countsOf(this.#cells).map(([count, text]) => size(count) + " " + text);
    return [...counts, "longest free run " + size(longestFree(this.#cells))].join(", ");
  }

  #columns() {
    return Math.max(1, Math.floor(this.#canvas.clientWidth / CELL));
  }

  #at(event) {
    return Math.floor(event.offsetY / CELL) * this.#columns() + Math.floor(event.offsetX / CELL);
  }

  #onKey(event) {
    const last = this.#cells.length - 1;
    const moves = {
      ArrowRight: this.#selected + 1,
      ArrowLeft: this.#selected - 1,
      ArrowDown: this.#selected < 0 ? 0 : this.#selected + this.#columns(),
      ArrowUp: this.#selected - this.#columns(),
      Home: 0,
      End: last,
    };
    if (event.key in moves) {
      event.preventDefault();
      this.#select(Math.max(0, Math.min(last, moves[event.key])));
    }
  }

  #select(index) {
    this.#selected = index < this.#cells.length ? index : -1;
    this.draw();
    const place = this.#cellBytes ? " at " + bytesText(this.#selected * this.#cellBytes) : "";
    const where = "cell " + (this.#selected + 1) + " of " + this.#cells.length + place;
    this.#said.textContent = this.#selected < 0 ? "" : where + ": " + cellOf(this.#cells[this.#selected]).text;
  }

  draw() {
    const columns = this.#columns();
    const context = prepared(this.#canvas, this.#canvas.clientWidth, Math.ceil(this.#cells.length / columns) * CELL);
    [...this.#cells].forEach((character, index) => {
      const x = (index % columns) * CELL;
      const y = Math.floor(index / columns) * CELL;
      drawCell(context, cellOf(character).name, x, y);
      if (index === this.#selected) {
        context.strokeStyle = colour("text");
        context.lineWidth = 2;
        context.strokeRect(x, y, CELL - 1, CELL - 1);
      }
    });
  }
}

/** Told apart by shape too: full, lower half, four dots, nothing on it, a small dot on nothing. */
function drawCell(context, name, x, y) {
  const side = CELL - 1;
  context.fillStyle = colour("cell-free");
  if (name !== "reserved") {
    context.fillRect(x, y, side, side);
  }
  context.fillStyle = colour("cell-handed");
  if (name === "handed") {
    context.fillRect(x, y, side, side);
  } else if (name === "partly") {
    context.fillRect(x, y + side / 2, side, side / 2);
  } else if (name === "pieces") {
    context.fillStyle = colour("cell-pieces");
    [
      [1, 1],
      [6, 1],
      [1, 6],
      [6, 6],
    ].forEach(([dx, dy]) => context.fillRect(x + dx, y + dy, 3, 3));
  } else if (name === "reserved") {
    context.fillStyle = colour("line");
    context.fillRect(x + side / 2 - 1, y + side / 2 - 1, 2, 2);
  }
}
