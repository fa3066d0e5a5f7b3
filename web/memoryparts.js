// Resident memory part by part, as bars; what is unexplained is always there, last.

import { h } from "./dom.js";
import { bar, swatch } from "./parts.js";
import { bytesText, isOver, kindName, percentText } from "./text.js";

const UNEXPLAINED = "unexplained";

export function partsView(report) {
  const parts = [...(report.memory?.parts ?? [])].sort((a, b) => place(a) - place(b) || b.bytes - a.bytes);
  if (!parts.length) {
    return null;
  }
  const most = Math.max(...parts.map((part) => Math.abs(part.bytes)));
  const head = ["part", "bytes", "share", ""].map((name) => h("th", { scope: "col" }, name));
  const rows = parts.map((part) => partRow(part, most, report.memory.resident));
  return h(
    "div",
    null,
    h("h3", null, "Part by part, " + (isOver(report) ? "at the end" : "now")),
    h(
      "table",
      { class: "bars" },
      h("caption", null, "These add up to resident memory"),
      h("thead", { class: "unseen" }, h("tr", null, head)),
      h("tbody", null, rows),
    ),
    parts.at(-1).bytes < 0 ? h("p", { class: "hint" }, NEGATIVE) : null,
  );
}

const NEGATIVE = "Unexplained is negative: parts count what is committed, of which not all is resident.";

function place(part) {
  return part.part === UNEXPLAINED ? 1 : 0;
}

function partRow(part, most, resident) {
  return h(
    "tr",
    { "data-key": part.part },
    h("th", { scope: "row" }, swatch(part.part), kindName(part.part)),
    h("td", { class: "number" }, bytesText(part.bytes)),
    h("td", { class: "number soft" }, percentText(part.bytes, resident)),
    h("td", { class: "wide" }, bar(Math.abs(part.bytes) / most, part.part === UNEXPLAINED ? "fill rest" : "fill")),
  );
}
