// What was found, in prose, what has most bytes first, and the line that did it.

import { h, show } from "../library/dom.js";
import { badge, frame, prose, stack } from "../library/parts.js";
import { bytesText, countText, isForeign, isLeftToCollector, isNative, known, listText, ownFrame, severity } from "../library/text.js";

const FIRST = 4;

export const findings = {
  id: "findings",
  title: "Findings",
  seen: () => true,
  make: (body) => (report) => show(body, figures(report), cards(report)),
};

/** Findings by severity, [[severity, findings]]: each severity stands where the first of it does, which has most bytes. */
export function grouped(list) {
  const groups = new Map();
  (list ?? []).forEach((one) => groups.set(one.severity, [...(groups.get(one.severity) ?? []), one]));
  return [...groups];
}

/** Where a finding's stack is: in it, or in its site. */
export function placeOf(finding, report) {
  return finding.frames ? finding : (report.sites?.[finding.site ?? -1] ?? { frames: [] });
}

/** The one limit that takes nothing from what the report says of the time until then. */
export const RUNS = "The program still runs: the report is up to a second old.";

/** What to say where nothing was found: that is good news only if somebody looked. */
export function verdictOf(report) {
  if ((report.findings ?? []).some((one) => one.severity !== "note" || one.leftOut)) {
    return null;
  }
  const limits = report.limits ?? [];
  if (report.watched?.length === 0) {
    return { good: false, text: "Nothing was counted, so nothing is known about leaks. " + limits.join(" ") };
  }
  if (["none", "off"].includes(report.target?.level)) {
    return { good: false, text: "Nothing was tracked. Run the program with `offcut run --level sample`." };
  }
  if (limits.some((limit) => limit !== RUNS)) {
    return { good: false, text: "No lost or forgotten resource was seen" + watchedText(report) + " " + limits.join(" ") };
  }
  return {
    good: true,
    text: "Nothing was lost, forgotten or freed late" + (report.complete ? "" : " so far") + watchedText(report),
  };
}

/** How far good news goes. */
function watchedText(report) {
  return report.watched
    ? " among the kinds that were tracked: " + listText(report.watched) + ". Not tracked: " + listText(report.unwatched) + "."
    : ".";
}

function verdict(report) {
  const found = verdictOf(report);
  return found
    ? h(
        "p",
        { class: found.good ? "verdict good" : "verdict", "data-key": "verdict" },
        h("span", { class: "badge " + (found.good ? "good" : "note") }, found.good ? "nothing lost" : "unknown"),
        " ",
        prose(found.text),
      )
    : null;
}

/** How many the collector freed that somebody should have closed. */
export function lateOf(kinds) {
  return kinds.filter((kind) => !isLeftToCollector(kind)).reduce((total, kind) => total + (kind.collected ?? 0), 0);
}

/** The figures that fit into one line each. */
function figures(report) {
  const kinds = report.kinds ?? [];
  const sum = (rows, field) => rows.reduce((total, row) => total + (row[field] ?? 0), 0);
  const forgotten = sum(report.handles ?? [], "forgotten");
  const lost = sum(kinds, "lost");
  const collected = lateOf(kinds);
  const list = [
    ["lost", bytesText(sum(kinds, "lostBytes")), countText(lost) + " never closed", lost && "lost"],
    ["handles forgotten", countText(forgotten), "released by the safety net", forgotten && "forgotten"],
    ["freed late", countText(collected), "left to the collector", collected && "late"],
    ["open native memory", bytesText(sum(kinds, "bytes")), countText(sum(kinds, "open")) + " open", null],
    ["resident", known(report.memory?.resident) === null ? "–" : bytesText(report.memory.resident), residentNote(report.memory), null],
  ];
  return h(
    "dl",
    { class: "figures", "data-key": "figures" },
    list.map(([name, value, note, mark]) =>
      h(
        "div",
        { "data-key": name, class: mark ? "figure " + mark : "figure" },
        h("dt", null, name),
        h("dd", null, h("b", null, value), h("span", null, note)),
      ),
    ),
  );
}

function residentNote(memory) {
  if (known(memory?.resident) === null) {
    return "not recorded";
  }
  if (memory.containerLimit) {
    return "of " + bytesText(memory.containerLimit);
  }
  return known(memory.residentPeak) === null ? "no container limit" : "peak " + bytesText(memory.residentPeak);
}

/** Of each severity the first few; the others are unfolded on demand. */
function cards(report) {
  return h(
    "div",
    { class: "cards room", "data-key": "cards" },
    verdict(report),
    grouped(report.findings).map(([name, all]) => {
      const list = (some) =>
        h(
          "ol",
          { class: "cards" },
          some.map((finding) => card(finding, placeOf(finding, report))),
        );
      return h(
        "div",
        { "data-key": name, class: "cards" },
        list(all.slice(0, FIRST)),
        all.length > FIRST
          ? h("details", null, h("summary", null, countText(all.length - FIRST) + " more " + severity(name).word), list(all.slice(FIRST)))
          : null,
      );
    }),
  );
}

/** What happened at a finding's line. */
function wordOf(finding) {
  return finding.severity === "cost" ? "at" : isNative(finding) ? "allocated at" : "opened at";
}

function card(finding, place) {
  const frames = place.frames;
  const own = ownFrame(place);
  const around = frames
    .slice(frames.indexOf(own) + 1)
    .filter((each) => !isForeign(each))
    .slice(0, 2);
  return h(
    "li",
    { class: "card " + finding.severity, "data-key": finding.severity + " " + finding.kind + " " + own + (own ? "" : finding.title) },
    h("h3", null, badge(finding.severity), " ", finding.title),
    own
      ? h("p", { class: "culprit" }, h("span", { class: "soft" }, wordOf(finding)), " ", frame(own))
      : null,
    around.length
      ? h(
          "ul",
          { class: "callers" },
          around.map((each) => h("li", null, frame(each))),
        )
      : null,
    finding.text ? h("p", { class: "prose" }, prose(finding.text)) : null,
    frames.length > 1 + around.length
      ? h("details", null, h("summary", null, "Whole stack, " + countText(frames.length) + " frames"), stack(frames))
      : null,
  );
}
