// A tree of calls drawn as an icicle: boxes on canvas, their names, and one that is selected.

import { prepared } from "../library/dom.js";
import { boxesOf, depthOf } from "../library/frametree.js";
import { colour, fillOf } from "../library/palette.js";
import { frameParts, isForeign, kindName } from "../library/text.js";

const ROW = 21;
const LEAST = 1 / 2000; // of the width: less is no pixel
const LABEL = 30; // pixels: in less there is no room for a name

/** Draws on one canvas. `amount(value)` is how much that is, as text. */
export class Icicle {
  #canvas;
  #amount;
  #boxes = [];

  constructor(canvas, amount) {
    this.#canvas = canvas;
    this.#amount = amount;
  }

  /** What is drawn from now on: a node, all that is below it, and its parents over the whole width. */
  look(focus) {
    this.#boxes = boxesOf(focus, LEAST);
  }

  shows(node) {
    return this.#boxes.some((box) => box.node === node);
  }

  /** The node at a place of the canvas, or null. */
  at(x, y) {
    const depth = Math.floor(y / ROW);
    const share = x / this.#canvas.clientWidth;
    return this.#boxes.find((box) => box.depth === depth && share >= box.from && share < box.to)?.node ?? null;
  }

  draw(selected) {
    const width = this.#canvas.clientWidth;
    const context = prepared(this.#canvas, width, depthOf(this.#boxes) * ROW);
    context.font = "12px ui-monospace, monospace";
    context.textBaseline = "middle";
    for (const { node, depth, from, to } of this.#boxes) {
      const box = { x: from * width, y: depth * ROW, wide: Math.max(1, (to - from) * width - 1) };
      drawBox(context, box, node, depth);
      if (node === selected) {
        outline(context, box);
      }
      if (box.wide > LABEL) {
        this.#drawName(context, box, node);
      }
    }
  }

  #drawName(context, { x, y, wide }, node) {
    const text = clipped(context, this.#names(node), wide - 8);
    if (node.kind && text) {
      // On a pattern, letters need a ground of their own.
      context.fillStyle = colour("page");
      context.fillRect(x + 2, y + 3, context.measureText(text).width + 5, ROW - 7);
    }
    context.fillStyle = colour("text");
    context.fillText(text, x + 4, y + ROW / 2);
  }

  /** From the longest name to the shortest. */
  #names(node) {
    if (node.kind) {
      return [kindName(node.kind)];
    }
    if (node.parent === null) {
      return ["all: " + this.#amount(node.value)];
    }
    const { call, at } = frameParts(node.name);
    return at ? [call + " (" + at + ")", call] : [call];
  }
}

function drawBox(context, { x, y, wide }, node, depth) {
  context.fillStyle = node.kind ? fillOf(node.kind, context) : colour(tintOf(node, depth));
  context.fillRect(x, y, wide, ROW - 1);
}

function tintOf(node, depth) {
  if (node.parent === null) {
    return "flame-all";
  }
  if (isForeign(node.name)) {
    return "flame-foreign";
  }
  return depth % 2 ? "flame-odd" : "flame-even";
}

function outline(context, { x, y, wide }) {
  context.strokeStyle = colour("text");
  context.lineWidth = 2;
  context.strokeRect(x + 1, y + 1, Math.max(1, wide - 2), ROW - 3);
}

/** The first text that fits, or the last one cut to fit. */
function clipped(context, texts, room) {
  const fitting = texts.find((text) => context.measureText(text).width <= room);
  if (fitting) {
    return fitting;
  }
  const letters = Math.floor(room / context.measureText("m").width) - 1;
  return letters > 2 ? texts.at(-1).slice(0, letters) + "…" : "";
}
