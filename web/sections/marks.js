// Between two marks of a program that runs: what was opened and is still held. As long as there is one mark, up to now.

import { h, show } from "../library/dom.js";
import { frame, stack, table } from "../library/parts.js";
import { changedParts, retainedKinds, retainedSites } from "../library/retained.js";
import { RUNS } from "./findings.js";
import { bytesText, countText, durationText, kindName, listText, ownFrame } from "../library/text.js";

const MOST_SITES = 10;

export const marks = {
  id: "marks",
  title: "Between the marks",
  short: "Marks",
  seen: (report) => Boolean(report.marks),
  make: (body) => (report) => show(body, view(report)),
};

function view(report) {
  const { first, second } = report.marks;
  const last = second ?? report;
  const seconds = Math.max(0, last.target.seconds - first.target.seconds);
  const sites = retainedSites(first, last);
  return [
    h(
      "p",
      { class: "lead" },
      second
        ? "The marks are " + durationText(seconds) + " apart. This was opened between them and is still held."
        : "This was opened since the mark, " + durationText(seconds) + " ago, and is still held.",
    ),
    kindsView(retainedKinds(first, last)),
    sites.length ? h("h3", null, "Call sites that hold more") : null,
    sites.length ? h("ol", { class: "cards" }, sites.slice(0, MOST_SITES).map(siteView)) : null,
    sites.length > MOST_SITES ? h("p", { class: "hint" }, "And " + countText(sites.length - MOST_SITES) + " more.") : null,
    partsView(changedParts(first, last)),
    h("p", { class: "hint" }, limits(last)),
  ];
}

function rangeText([least, most], text) {
  return text(least) + (least === most ? "" : " to " + text(most));
}

const KINDS = [
  { name: "kind", text: (row) => kindName(row.kind) },
  { name: "opened", means: "between the marks", number: true, text: (row) => countText(row.opened) },
  { name: "ended", means: "closed, or freed by the collector, whenever it was opened", number: true, text: (row) => countText(row.ended) },
  {
    name: "still held",
    means: "of those opened between the marks. If all resources that ended were opened between the marks, the smaller figure is right. If all were opened before the first mark, the larger figure is right",
    number: true,
    text: (row) => rangeText(row.count, countText),
  },
  { name: "bytes", means: "of those still held", number: true, text: (row) => (row.bytes ? rangeText(row.bytes, bytesText) : "–") },
];

function kindsView(kinds) {
  return kinds.length
    ? table("Exact counts. A range means: it is not known whether the resources that ended were opened after the first mark", KINDS, kinds, (row) => row.kind)
    : h("p", null, "No tracked resource that was opened since the first mark is still held.");
}

function siteView(site) {
  return h(
    "li",
    { class: "card", "data-key": site.kind + "\n" + site.frames.join("\n") },
    h("b", null, site.grown > 0 ? changeText(site.grown) : "+" + countText(site.more)),
    " " + kindName(site.kind) + (site.exact ? "" : ", estimated") + " ",
    h("p", { class: "culprit" }, frame(ownFrame(site) || "no stack was recorded")),
    site.frames.length > 1 ? h("details", null, h("summary", null, "Whole stack"), stack(site.frames)) : null,
  );
}

function changeText(bytes) {
  return (bytes > 0 ? "+" : "") + bytesText(bytes);
}

const PARTS = [
  { name: "part of resident memory", text: (row) => kindName(row.part) },
  { name: "now", number: true, text: (row) => bytesText(row.bytes) },
  { name: "change", number: true, text: (row) => changeText(row.change) },
];

function partsView(parts) {
  return parts.length ? table("Resident memory, measured every ten seconds", PARTS, parts, (row) => row.part) : null;
}

/** What the figures do not say, as the text of `offcut watch` has it. */
export function limits(report) {
  return [
    report.target.level === "sample" ? "Figures of call sites are estimates. Call sites with few openings may be missing." : null,
    report.target.level === "count" ? "Call sites are not recorded at level count." : null,
    "An unreachable resource counts as held until a garbage collection finds it.",
    report.unwatched ? "Not tracked: " + listText(report.unwatched) + "." : null,
    ...(report.limits ?? []).filter((limit) => limit !== RUNS),
  ]
    .filter(Boolean)
    .join(" ");
}
