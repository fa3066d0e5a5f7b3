// The flame graph: native memory by call stack, as an icicle on canvas, and the same as a table.

import { h, show } from "./dom.js";
import { boxesOf, depthOf, pathTo, rowsOf, sameNode, treeOf } from "./frametree.js";
import { colour, fillOf, onColours } from "./palette.js";
import { MEASURES, measure, telling } from "./ranking.js";
import { bytesText, countText, frameParts, isForeign, kindName, percentText } from "./text.js";

const ROW = 21;
const TABLE_SHARE = 0.01; // rows of the table: what is less than one in a hundred is not worth a line

export const flame = {
  id: "flame",
  title: "By call stack",
  absent: "call stacks",
  seen: (report) => Boolean(report.sites?.length),
  make: makeFlame,
};

function makeFlame(body) {
  const by = h("select", { id: "flame-by" }, MEASURES.map((each) => h("option", { value: each.name }, each.label)));
  const from = h("select", { id: "flame-from" }, h("option", { value: "outer" }, "the start of the thread"), h("option", { value: "inner" }, "the opening line"));
  const back = h("button", { type: "button", class: "quiet" }, "Whole graph");
  const canvas = h("canvas", { class: "flame", tabindex: "0", role: "img", "aria-describedby": "flame-said flame-keys" });
  const said = h("output", { class: "said", id: "flame-said" });
  const rows = h("tbody");
  const details = h("details", null, h("summary", null, "As a table"),
    h("div", { class: "scroll", role: "region", "aria-label": "Call stacks", tabindex: "0" }, h("table", { class: "tree" },
      h("caption", null, "What is under one percent is left out"),
      h("thead", null, h("tr", null, ["call", "amount", "share"].map((name, i) => h("th", { scope: "col", class: i ? "number" : null }, name)))), rows)));
  body.append(
    h("form", { class: "controls" }, h("label", { for: "flame-by" }, "Width is"), by, h("label", { for: "flame-from" }, "from the top:"), from, back),
    h("p", { class: "hint", id: "flame-keys" }, "Click a call to see it alone; with the keyboard: arrows move, Enter looks closer, Escape goes back."),
    canvas, said, details);

  let report = null;
  let chosen = false;
  let root = null;
  let focus = null;
  let selected = null;
  let boxes = [];

  body.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
  by.addEventListener("change", () => {
    chosen = true;
    build();
  });
  from.addEventListener("change", () => {
    focus = selected = null;
    build();
  });
  back.addEventListener("click", () => look(root));
  details.addEventListener("toggle", fillTable);
  canvas.addEventListener("pointermove", (event) => select(at(event)));
  canvas.addEventListener("pointerleave", () => select(document.activeElement === canvas ? selected : null));
  canvas.addEventListener("click", (event) => look(at(event) ?? focus));
  canvas.addEventListener("keydown", onKey);
  window.addEventListener("resize", draw);
  onColours(draw);

  function build() {
    const paths = [focus, selected].map((node) => (node ? pathTo(node) : null));
    root = treeOf(report.sites, measure(by.value).value, from.value === "inner");
    [focus, selected] = paths.map((path) => (path ? sameNode(root, path) : null));
    focus ??= root;
    boxes = boxesOf(focus, 1 / 2000);
    draw();
    say();
    fillTable();
  }

  function look(node) {
    focus = selected = node;
    boxes = boxesOf(focus, 1 / 2000);
    draw();
    say();
  }

  function at(event) {
    const depth = Math.floor(event.offsetY / ROW);
    const x = event.offsetX / canvas.clientWidth;
    return boxes.find((box) => box.depth === depth && x >= box.from && x < box.to)?.node ?? null;
  }

  function select(node) {
    if (node !== selected) {
      selected = node;
      draw();
      say();
    }
  }

  function onKey(event) {
    const node = selected ?? focus;
    const siblings = node.parent?.children ?? [node];
    const place = siblings.indexOf(node);
    const shown = (one) => boxes.some((box) => box.node === one);
    const moves = {
      ArrowDown: node.children[0],
      ArrowUp: node.parent,
      ArrowLeft: siblings[place - 1],
      ArrowRight: siblings[place + 1],
      Home: root,
    };
    if (event.key === "Enter" || event.key === " ") {
      look(node);
    } else if (event.key === "Escape") {
      look(focus.parent ?? root);
    } else if (event.key in moves) {
      const to = moves[event.key];
      if (to) {
        select(shown(to) ? to : node);
      }
    } else {
      return;
    }
    event.preventDefault();
  }

  function amount(value) {
    const one = measure(by.value);
    return one.bytes ? bytesText(value) : countText(value) + " " + one.label;
  }

  function say() {
    const node = selected ?? focus;
    said.textContent = (node.kind ? kindName(node.kind) : node.name) + ": " + amount(node.value) + ", " + percentText(node.value, root.value);
    back.disabled = focus === root;
    canvas.setAttribute("aria-label", "Flame graph, " + amount(root.value) + " " + measure(by.value).label + " in all");
  }

  function draw() {
    const width = canvas.clientWidth;
    const height = depthOf(boxes) * ROW;
    const scale = window.devicePixelRatio || 1;
    canvas.style.height = height + "px";
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    const context = canvas.getContext("2d");
    context.scale(scale, scale);
    context.font = "12px ui-monospace, monospace";
    context.textBaseline = "middle";
    boxes.forEach((box) => drawBox(context, box, width));
  }

  function drawBox(context, { node, depth, from: left, to: right }, width) {
    const x = left * width;
    const wide = Math.max(1, (right - left) * width - 1);
    const y = depth * ROW;
    const tint = node.parent === null ? "flame-all" : isForeign(node.name) ? "flame-foreign" : depth % 2 ? "flame-odd" : "flame-even";
    context.fillStyle = node.kind ? fillOf(node.kind, context) : colour(tint);
    context.fillRect(x, y, wide, ROW - 1);
    if (node === selected) {
      context.strokeStyle = colour("text");
      context.lineWidth = 2;
      context.strokeRect(x + 1, y + 1, Math.max(1, wide - 2), ROW - 3);
    }
    if (wide > 30) {
      drawLabel(context, node, x, y, wide);
    }
  }

  function drawLabel(context, node, x, y, wide) {
    const { call, at: place } = frameParts(node.name);
    const full = node.kind ? kindName(node.kind) : node.parent === null ? "all: " + amount(node.value) : call + (place ? " (" + place + ")" : "");
    const text = clipped(context, [full, node.kind ? full : call], wide - 8);
    if (node.kind && text) {
      // On a pattern, letters need a ground of their own.
      context.fillStyle = colour("page");
      context.fillRect(x + 2, y + 3, context.measureText(text).width + 5, ROW - 7);
    }
    context.fillStyle = colour("text");
    context.fillText(text, x + 4, y + ROW / 2);
  }

  function fillTable() {
    if (!details.open || !root) {
      return;
    }
    show(rows, rowsOf(root, TABLE_SHARE).map(({ node, depth }) =>
      h("tr", { "data-key": pathTo(node).map((each) => each.name).join("\n") },
        h("th", { scope: "row" }, "\u2002".repeat(depth), node.kind ? kindName(node.kind) : node.name),
        h("td", { class: "number" }, amount(node.value)), h("td", { class: "number soft" }, percentText(node.value, root.value)))));
  }

  return (next) => {
    report = next;
    if (!chosen) {
      by.value = telling(report.sites, ["held", "open", "lost", "opened"]);
    }
    build();
  };
}

/** The first text that fits, or the last one cut to fit. */
function clipped(context, texts, room) {
  const fitting = texts.find((text) => context.measureText(text).width <= room);
  if (fitting) {
    return fitting;
  }
  const letter = context.measureText("m").width;
  const letters = Math.floor(room / letter) - 1;
  return letters > 2 ? texts.at(-1).slice(0, letters) + "…" : "";
}
