// Where resident memory goes: over time, as a curve with its legend, and part by part at the end.

import { Curve } from "./curve.js";
import { h, show } from "../library/dom.js";
import { collectionTotals, pictureOf, REST, SMALL_PARTS } from "../library/layers.js";
import { onColours, paintSwatches } from "../library/palette.js";
import { bar, swatch } from "../library/parts.js";
import { bytesText, clockText, countText, isOver, kindName, known, nounText, percentText } from "../library/text.js";

export const memory = {
  id: "memory",
  title: "Where resident memory goes",
  short: "Memory",
  absent: "memory over time",
  seen: (report) => Boolean(report.memory?.parts?.length || report.series?.time?.length || !report.complete),
  make(body) {
    const section = new Memory(body);
    return (report) => section.update(report);
  },
};

class Memory {
  #body;
  #lead = h("p", { class: "lead" });
  #box = h("div", {
    class: "curve",
    tabindex: "0",
    role: "img",
    "aria-describedby": "memory-keys",
    "aria-label": "Resident memory over time, by part",
  });
  #whole = h("button", { type: "button", class: "quiet" }, "Whole time");
  #legend = h("div", { class: "legend-table" });
  #parts = h("div");
  #columns;

  #report = null;
  #picture = null;
  #curve = null;
  #pointed = null; // the point of time that the reader looks at, or null for the last

  constructor(body) {
    this.#body = body;
    const hint = "Drag over the curve to zoom in. Keyboard: ← → move, + − zoom, 0 shows everything. ";
    const keys = h("p", { id: "memory-keys", class: "hint" }, hint, this.#whole);
    this.#columns = h("div", { class: "beside" }, h("div", null, this.#box, keys), this.#legend);
    body.append(this.#lead, this.#columns, this.#parts);
    this.#whole.addEventListener("click", () => this.#curve.whole());
    this.#box.addEventListener("keydown", (event) => this.#onKey(event));
    onColours(() => this.#repaint());
  }

  update(report) {
    this.#report = report;
    this.#picture = pictureOf(report);
    const drawn = this.#picture.time.length >= 2;
    this.#columns.classList.toggle("waiting", !drawn); // a page that moves keeps the place free
    show(this.#lead, leadText(report, this.#picture, drawn));
    if (drawn) {
      this.#drawCurve();
      this.#showLegend();
    }
    show(this.#parts, partsView(report));
    paintSwatches(this.#body);
  }

  #drawCurve() {
    const limit = this.#report.memory?.containerLimit;
    if (!this.#curve?.update(this.#picture, limit)) {
      this.#curve?.remove();
      this.#curve = new Curve(this.#box, this.#picture, limit, (index) => this.#point(index));
    }
  }

  #repaint() {
    this.#curve?.redraw();
    paintSwatches(this.#body);
  }

  #point(index) {
    if (index !== this.#pointed) {
      this.#pointed = index;
      this.#showLegend();
    }
  }

  #showLegend() {
    show(this.#legend, legendView(this.#picture, this.#pointed));
    paintSwatches(this.#legend);
  }

  #onKey(event) {
    const last = this.#picture.time.length - 1;
    const at = Math.min(this.#pointed ?? last, last);
    const moves = { ArrowLeft: at - 1, ArrowRight: at + 1, PageUp: at - 20, PageDown: at + 20, Home: 0, End: last };
    if (event.key in moves) {
      this.#curve.point(Math.max(0, Math.min(last, moves[event.key])));
    } else if (event.key === "+" || event.key === "-") {
      this.#curve.zoom(at, event.key === "+" ? 0.5 : 2);
    } else if (event.key === "0") {
      this.#curve.whole();
    } else {
      return;
    }
    event.preventDefault();
  }
}

function leadText(report, picture, drawn) {
  const lead = picture.accounted ? ACCOUNTED : LEAD;
  const dashes = drawn && picture.heap ? "The dashed line is the " + picture.heap.name + ". " : null;
  return [
    residentText(report),
    drawn ? lead : isOver(report) ? "The run was too short for a curve. " : SOON,
    dashes,
    drawn ? collectionsText(report) : null,
  ];
}

const SOON = "The curve begins with the second measurement. ";
const ACCOUNTED = "The line is resident memory. The areas are its parts, measured every ten seconds. ";
const LEAD =
  "The line is resident memory. The areas show committed or requested memory, which may be larger than resident memory. The page cuts them off at the line. ";

function residentText(report) {
  const resident = known(report.memory?.resident);
  const limit = report.memory?.containerLimit;
  if (resident === null) {
    return null;
  }
  const share = limit ? " of the container's " + bytesText(limit) + " (" + percentText(resident, limit) + ")" : "";
  return [h("b", null, bytesText(resident)), " resident " + (isOver(report) ? "at the end" : "now") + share + ". "];
}

function collectionsText(report) {
  const { count, forced } = collectionTotals(report.series?.gc);
  const tall = forced ? "; System.gc() requested the " + countText(forced) + " tall ones" : "";
  return count ? "Ticks at the lower edge are " + nounText(count, "collection") + tall + "." : null;
}

/** What each area of the curve is, and how much of it there was at one time. `pointed`: the index of a time, or null for the last. The areas are named from the top down, as they lie. */
function legendView(picture, pointed) {
  const last = picture.time.length - 1;
  const at = Math.min(pointed ?? last, last);
  const rows = [...picture.layers].reverse().map(({ name, values }) => legendRow(name, swatch(name), layerName(name, picture), values, at));
  const line = legendRow("resident", h("span", { class: "swatch line" }), "resident", picture.resident, at);
  const { heap } = picture;
  const dashes = heap ? legendRow("heap line", h("span", { class: "swatch line dashes" }), heap.name, heap.values, at) : null;
  const head = ["part", "bytes", "peak"].map((name, place) => h("th", { scope: "col", class: place ? "number" : null }, name));
  return h(
    "table",
    null,
    h("caption", null, "At " + clockText(picture.time[at]) + (pointed === null ? ", the last" : "")),
    h("thead", null, h("tr", null, head)),
    h("tbody", null, line, dashes, rows),
  );
}

function legendRow(key, mark, name, values, at) {
  return h(
    "tr",
    { "data-key": key },
    h("th", { scope: "row" }, mark, name),
    h("td", { class: "number" }, known(values[at]) === null ? "" : bytesText(values[at])),
    h("td", { class: "number soft" }, bytesText(Math.max(0, ...values))),
  );
}

function layerName(name, picture) {
  const rest = picture.accounted ? "change between two measurements" : "everything else";
  return { [REST]: rest, [SMALL_PARTS]: "parts below 1 %", "java heap": "Java heap, committed", "go heap": "Go heap, in use or free" }[name] ?? kindName(name);
}

// Part by part, as bars: last what is committed and not resident, if that is known, and what is unexplained.
const UNEXPLAINED = "unexplained";
const UNTOUCHED = "committed, not resident";

function partsView(report) {
  const order = report.memory?.accounted ? () => 0 : (a, b) => place(a) - place(b) || b.bytes - a.bytes;
  const parts = [...(report.memory?.parts ?? [])].sort(order);
  if (!parts.length) {
    return null;
  }
  const most = Math.max(1, ...parts.map((part) => part.bytes));
  const head = ["part", "bytes", "share", ""].map((name) => h("th", { scope: "col" }, name));
  const isKnown = (part) => part.part !== UNEXPLAINED || parts.every((each) => each.part !== UNTOUCHED);
  const rows = parts.map((part) => partRow(part, most, report.memory.accounted ? report.memory.resident : null, isKnown(part)));
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
    report.memory.remarks?.length ? h("p", { class: "hint" }, report.memory.remarks.join(" ")) : null,
  );
}

const NEGATIVE =
  "Heap, the JVM's own memory and pools are committed figures, not resident ones. Not all of it is resident, so the unexplained part cannot be computed.";

function place(part) {
  return [UNTOUCHED, UNEXPLAINED].indexOf(part.part);
}

/** `resident`: null where the part is no share of it, but what was committed. */
function partRow(part, most, resident, isKnown) {
  return h(
    "tr",
    { "data-key": part.part },
    h("th", { scope: "row" }, swatch(part.part), kindName(part.part)),
    h("td", { class: "number" }, isKnown ? bytesText(part.bytes) : "unknown"),
    h("td", { class: "number soft" }, resident === null ? "" : percentText(part.bytes, resident)),
    h("td", { class: "wide" }, part.bytes < 0 ? null : bar(part.bytes / most, part.part === UNEXPLAINED ? "fill rest" : "fill")),
  );
}
