// Resident memory part by part, as bars; last what is committed and not resident, if that is known, and what is unexplained.

import { h } from "./dom.js";
import { bar, swatch } from "./parts.js";
import { bytesText, isOver, kindName, percentText } from "./text.js";

const UNEXPLAINED = "unexplained";
const UNTOUCHED = "committed, not resident";

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
    parts.some((part) => part.bytes < 0) ? h("p", { class: "hint" }, NEGATIVE) : null,
  );
}

const NEGATIVE =
  "Heap, the JVM's own memory and pools are committed figures, not resident ones. Not all of it is resident, so the unexplained part cannot be computed.";

function place(part) {
  return [UNTOUCHED, UNEXPLAINED].indexOf(part.part);
}

function partRow(part, most, resident) {
  return h(
    "tr",
    { "data-key": part.part },
    h("th", { scope: "row" }, swatch(part.part), kindName(part.part)),
    h("td", { class: "number" }, bytesText(part.bytes)),
    h("td", { class: "number soft" }, part.bytes < 0 ? "" : percentText(part.bytes, resident)),
    h("td", { class: "wide" }, bar(Math.abs(part.bytes) / most, part.part === UNEXPLAINED ? "fill rest" : "fill")),
  );
}
