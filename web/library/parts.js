// What several sections are made of: tables, stacks, bars, badges.

import { h } from "./dom.js";
import { frameParts, isForeign, severity } from "./text.js";

/**
 * A table. Columns: {name, means, text: row → string or node, number: true for figures, strong: row → whether it stands out}.
 * The first column names the row. `key` tells rows apart, so that they are kept when figures change.
 */
export function table(caption, columns, rows, key) {
  const head = columns.map((column) => h("th", { scope: "col", title: column.means, class: column.number ? "number" : null }, column.name));
  return h(
    "div",
    { class: "scroll", role: "region", "aria-label": caption, tabindex: "0" },
    h(
      "table",
      null,
      h("caption", null, caption),
      h("thead", null, h("tr", null, head)),
      h(
        "tbody",
        null,
        rows.map((row) => tableRow(columns, row, key(row))),
      ),
    ),
  );
}

function tableRow(columns, row, key) {
  return h(
    "tr",
    { "data-key": key },
    columns.map((column, index) => {
      const strong = column.strong?.(row);
      const attributes = { class: [column.number && "number", strong && "strong-" + strong].filter(Boolean).join(" ") || null };
      return index === 0 ? h("th", { ...attributes, scope: "row" }, column.text(row)) : h("td", attributes, column.text(row));
    }),
  );
}

/** A frame with the call in bold and its package soft. */
export function frame(text) {
  const parts = frameParts(text);
  return h(
    "code",
    { class: isForeign(text) ? "frame foreign" : "frame" },
    parts.in ? h("span", { class: "soft" }, parts.in + ".") : null,
    h("b", null, parts.call),
    parts.at ? h("span", { class: "at" }, "(" + parts.at + ")") : null,
  );
}

/** A frame in two lines: the call and its place, and below them where that is. */
export function frameAbove(text, ...below) {
  const parts = frameParts(text);
  return [
    h("span", { class: "frame" }, h("b", null, parts.call), parts.at ? h("span", { class: "at" }, "(" + parts.at + ")") : null),
    h("span", { class: "under" }, parts.in ? h("span", { class: "in" }, parts.in) : null, below),
  ];
}

/** A stack, innermost first. */
export function stack(frames) {
  return h(
    "ol",
    { class: "stack" },
    frames.map((each) => h("li", null, frame(each))),
  );
}

/** A sentence in which what stands between backticks is code. */
export function prose(text) {
  return text.split("`").map((part, index) => (index % 2 ? h("code", null, part) : part));
}

/** A badge with the word, its own shape and colour. */
export function badge(name) {
  return h("span", { class: "badge " + name, title: severity(name).means }, severity(name).word);
}

/** A little picture of a part's colour and pattern; `paintSwatches` fills it. */
export function swatch(part) {
  return h("canvas", { class: "swatch", "data-own": true, "data-key": "swatch-" + part, "data-part": part, "aria-hidden": "true" });
}

/** How much of a whole, drawn: 0 to 1. */
export function bar(share, className) {
  const width = Math.max(0, Math.min(100, share * 100)).toFixed(2);
  return h(
    "svg",
    { class: "bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    h("rect", { class: "track", width: "100", height: "10" }),
    h("rect", { class: className ?? "fill", width, height: "10" }),
  );
}
