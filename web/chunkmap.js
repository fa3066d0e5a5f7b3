// Where a pool's chunks lie: a square for each cell of address space.

import { CELLS, cellOf, cellsOf, countsOf, longestFree } from "./cells.js";
import { h } from "./dom.js";
import { colour, onColours } from "./palette.js";
import { bytesText, nounText } from "./text.js";

const CELL = 11;

export const chunkMap = {
  id: "map",
  title: "Chunk map",
  absent: "chunk maps",
  seen: (report) => Boolean(report.map?.length),
  make: makeMap,
};

function makeMap(body) {
  const legend = h("ul", { class: "legend" }, Object.values(CELLS).map((cell) => h("li", null, h("span", { class: "key " + cell.name }), cell.text)));
  const figures = h("div");
  body.append(h("p", { class: "hint" }, "Addresses run from left to right, then down. Point at a cell, or use the arrow keys on a map, to read what it is."), legend, figures);
  const drawn = new Map();
  window.addEventListener("resize", () => drawn.forEach((one) => draw(one)));
  onColours(() => drawn.forEach((one) => draw(one)));

  function figure(pool) {
    const canvas = h("canvas", { class: "cells", tabindex: "0", role: "img" });
    const said = h("output", { class: "said" });
    const summary = h("span");
    const element = h("figure", { class: "map", "data-key": pool }, h("figcaption", null, h("h3", null, pool), summary), canvas, said);
    const one = { element, canvas, said, summary, cells: "", cellBytes: null, selected: -1 };
    canvas.addEventListener("pointermove", (event) => select(one, Math.floor(event.offsetY / CELL) * across(one) + Math.floor(event.offsetX / CELL)));
    canvas.addEventListener("pointerleave", () => select(one, -1));
    canvas.addEventListener("keydown", (event) => onKey(one, event));
    return one;
  }

  function onKey(one, event) {
    const last = one.cells.length - 1;
    const moves = {
      ArrowRight: one.selected + 1,
      ArrowLeft: one.selected - 1,
      ArrowDown: one.selected < 0 ? 0 : one.selected + across(one),
      ArrowUp: one.selected - across(one),
      Home: 0,
      End: last,
    };
    if (event.key in moves) {
      event.preventDefault();
      select(one, Math.max(0, Math.min(last, moves[event.key])));
    }
  }

  function select(one, index) {
    one.selected = index < one.cells.length ? index : -1;
    draw(one);
    say(one);
  }

  function say(one) {
    const place = one.cellBytes ? " at " + bytesText(one.selected * one.cellBytes) : "";
    one.said.textContent = one.selected < 0 ? "" : "cell " + (one.selected + 1) + " of " + one.cells.length + place + ": " + cellOf(one.cells[one.selected]).text;
  }

  function describe(one) {
    const counts = countsOf(one.cells).map(([count, text]) => (one.cellBytes ? bytesText(count * one.cellBytes) : nounText(count, "cell")) + " " + text);
    const free = longestFree(one.cells);
    const run = "longest free run " + (one.cellBytes ? bytesText(free * one.cellBytes) : nounText(free, "cell"));
    one.summary.textContent = [...counts, run].join(", ");
    one.canvas.setAttribute("aria-label", "Map of the pool: " + one.summary.textContent);
  }

  return (report) => {
    for (const map of report.map) {
      if (!drawn.has(map.pool)) {
        drawn.set(map.pool, figure(map.pool));
      }
      const one = drawn.get(map.pool);
      one.cells = cellsOf(map);
      one.cellBytes = map.cellBytes ?? null;
      describe(one);
    }
    figures.append(...report.map.map((map) => drawn.get(map.pool).element).filter((element) => !element.isConnected));
    drawn.forEach((one) => draw(one));
  };
}

function across(one) {
  return Math.max(1, Math.floor(one.canvas.clientWidth / CELL));
}

function draw(one) {
  const columns = across(one);
  const height = Math.ceil(one.cells.length / columns) * CELL;
  const scale = window.devicePixelRatio || 1;
  one.canvas.style.height = height + "px";
  one.canvas.width = Math.round(one.canvas.clientWidth * scale);
  one.canvas.height = Math.round(height * scale);
  const context = one.canvas.getContext("2d");
  context.scale(scale, scale);
  [...one.cells].forEach((character, index) => {
    const x = (index % columns) * CELL;
    const y = Math.floor(index / columns) * CELL;
    drawCell(context, cellOf(character).name, x, y);
    if (index === one.selected) {
      context.strokeStyle = colour("text");
      context.lineWidth = 2;
      context.strokeRect(x, y, CELL - 1, CELL - 1);
    }
  });
}

/** Told apart by shape too: full, lower half, four dots, outline, small dot. */
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
    [[1, 1], [6, 1], [1, 6], [6, 6]].forEach(([dx, dy]) => context.fillRect(x + dx, y + dy, 3, 3));
  } else if (name === "reserved") {
    context.fillStyle = colour("line");
    context.fillRect(x + side / 2 - 1, y + side / 2 - 1, 2, 2);
  }
}
