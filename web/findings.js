// What was found, in prose, the worst first: what was lost, and the line that did it.

import { h, show } from "./dom.js";
import { badge, frame, stack } from "./parts.js";
import { bytesText, countText, isForeign, ownFrame } from "./text.js";

const ORDER = ["lost", "forgotten", "late", "cost", "note"];

export const findings = {
  id: "findings",
  title: "Findings",
  seen: () => true,
  make: (body) => (report) => show(body, verdict(report), figures(report), cards(report)),
};

/** Findings in the order of the contract, whoever wrote them. */
export function ranked(list) {
  return [...(list ?? [])].sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
}

/** The stack of a finding: its own, or that of its site. */
export function framesOf(finding, report) {
  return finding.frames ?? report.sites?.[finding.site ?? -1]?.frames ?? [];
}

function verdict(report) {
  const bad = ranked(report.findings).filter((one) => one.severity !== "note");
  if (bad.length) {
    return null;
  }
  const text = report.complete ? "Nothing was lost, forgotten or freed late." : "Nothing is lost, forgotten or freed late so far.";
  return h("p", { class: "verdict", "data-key": "verdict" }, h("span", { class: "badge good" }, "clean"), " ", text);
}

/** The figures that fit into one line each. */
function figures(report) {
  const kinds = report.kinds ?? [];
  const sum = (rows, field) => rows.reduce((total, row) => total + (row[field] ?? 0), 0);
  const forgotten = sum(report.handles ?? [], "forgotten");
  const lost = sum(kinds, "lost");
  const collected = sum(kinds.filter((kind) => kind.kind !== "finalizer"), "collected");
  const list = [
    ["lost for good", bytesText(sum(kinds, "lostBytes")), countText(lost) + " never closed", lost && "lost"],
    ["handles forgotten", countText(forgotten), "released by the net", forgotten && "forgotten"],
    ["freed late", countText(collected), "left to the collector", collected && "late"],
    ["open native memory", bytesText(sum(kinds, "bytes")), countText(sum(kinds, "open")) + " open", null],
    ["resident", report.memory?.resident ? bytesText(report.memory.resident) : "–", residentNote(report.memory), null],
  ];
  return h("dl", { class: "figures", "data-key": "figures" }, list.map(([name, value, note, mark]) =>
    h("div", { "data-key": name, class: mark ? "figure " + mark : "figure" }, h("dt", null, name), h("dd", null, h("b", null, value), h("span", null, note)))));
}

function residentNote(memory) {
  if (memory?.containerLimit) {
    return "of " + bytesText(memory.containerLimit);
  }
  return memory?.residentPeak ? "peak " + bytesText(memory.residentPeak) : "no container limit";
}

function cards(report) {
  return h("ol", { class: "cards", "data-key": "cards" }, ranked(report.findings).map((finding) => card(finding, framesOf(finding, report))));
}

function card(finding, frames) {
  const own = ownFrame(frames);
  const around = frames.slice(frames.indexOf(own) + 1).filter((each) => !isForeign(each)).slice(0, 2);
  return h("li", { class: "card " + finding.severity, "data-key": finding.severity + " " + finding.kind + " " + own + (own ? "" : finding.title) },
    h("h3", null, badge(finding.severity), " ", finding.title),
    own ? h("p", { class: "culprit" }, h("span", { class: "soft" }, "opened at"), " ", frame(own)) : null,
    around.length ? h("ul", { class: "callers" }, around.map((each) => h("li", null, frame(each)))) : null,
    finding.text ? h("p", { class: "prose" }, finding.text) : null,
    frames.length > 1 + around.length
      ? h("details", null, h("summary", null, "Whole stack, " + countText(frames.length) + " frames"), stack(frames))
      : null);
}
