// Where resident memory goes: over time, and part by part at the end.

import { drawCurve } from "./curve.js";
import { h, show } from "./dom.js";
import { collectionTotals, layersOf } from "./layers.js";
import { onColours, paintSwatches } from "./palette.js";
import { bar } from "./parts.js";
import { bytesText, clockText, countText, known, nounText, partName, percentText } from "./text.js";

export const memory = {
  id: "memory",
  title: "Where resident memory goes",
  short: "Memory",
  absent: "memory over time",
  seen: (report) => Boolean(report.memory?.parts?.length || report.series?.time?.length),
  make: makeMemory,
};

function makeMemory(body) {
  const lead = h("p");
  const box = h("div", {
    class: "curve", tabindex: "0", role: "img",
    "aria-describedby": "memory-keys", "aria-label": "Resident memory over time, by part",
  });
  const reset = h("button", { type: "button", class: "quiet" }, "Whole time");
  const keys = h("p", { id: "memory-keys", class: "hint" }, "Drag over the curve for a shorter time; with the keyboard: ← → move, + − zoom, 0 the whole. ");
  keys.append(reset);
  const legend = h("div", { class: "legend-table" });
  const parts = h("div");
  const columns = h("div", { class: "beside" }, h("div", null, box, keys), legend);
  body.append(lead, columns, parts);

  let report = null;
  let curve = null;
  let pointed = null;

  reset.addEventListener("click", () => whole());
  box.addEventListener("keydown", (event) => onKey(event));
  onColours(() => {
    curve?.redraw();
    paintSwatches(body);
  });

  function whole() {
    const { time } = report.series;
    curve?.plot.setScale("x", { min: time[0], max: time.at(-1) });
  }

  function onKey(event) {
    const time = report?.series?.time ?? [];
    if (!curve || time.length < 2) {
      return;
    }
    const last = time.length - 1;
    const at = pointed ?? last;
    const moves = { ArrowLeft: at - 1, ArrowRight: at + 1, PageUp: at - 20, PageDown: at + 20, Home: 0, End: last };
    if (event.key in moves) {
      point(Math.max(0, Math.min(last, moves[event.key])));
    } else if (event.key === "+" || event.key === "-") {
      zoom(time[at], event.key === "+" ? 0.5 : 2);
    } else if (event.key === "0") {
      whole();
    } else {
      return;
    }
    event.preventDefault();
  }

  function point(index) {
    const { plot } = curve;
    const x = report.series.time[index];
    if (x < plot.scales.x.min || x > plot.scales.x.max) {
      zoom(x, 1);
    }
    plot.setCursor({ left: plot.valToPos(x, "x"), top: 10 });
    pointed = index;
    showLegend();
  }

  function zoom(centre, factor) {
    const { min, max } = curve.plot.scales.x;
    const { time } = report.series;
    const half = Math.min(time.at(-1) - time[0], (max - min) * factor) / 2;
    const from = Math.max(time[0], Math.min(centre - half, time.at(-1) - 2 * half));
    curve.plot.setScale("x", { min: from, max: from + 2 * half });
  }

  function showLegend() {
    const { series } = report;
    const last = series.time.length - 1;
    const at = pointed === null ? last : Math.min(pointed, last);
    const value = (values, i) => (values?.[i] === null || values?.[i] === undefined ? "" : bytesText(values[i]));
    const rows = layersOf(series).reverse().map((layer) =>
      h("tr", { "data-key": layer.name },
        h("th", { scope: "row" }, swatch(layer.name), layerName(layer.name)),
        h("td", { class: "number" }, value(layer.values, at)),
        h("td", { class: "number soft" }, bytesText(Math.max(0, ...layer.values)))));
    show(legend, h("table", null,
      h("caption", null, "At " + clockText(series.time[at]) + (pointed === null ? ", the last" : "")),
      h("thead", null, h("tr", null, h("th", { scope: "col" }, "part"), h("th", { scope: "col", class: "number" }, "bytes"), h("th", { scope: "col", class: "number" }, "peak"))),
      h("tbody", null,
        h("tr", { "data-key": "resident" },
          h("th", { scope: "row" }, h("span", { class: "swatch line" }), "resident"),
          h("td", { class: "number" }, value(series.resident, at)),
          h("td", { class: "number soft" }, bytesText(Math.max(0, ...(series.resident ?? []))))),
        rows)));
    paintSwatches(legend);
  }

  return (next) => {
    report = next;
    const points = report.series?.time?.length ?? 0;
    columns.hidden = points < 2;
    show(lead, leadText(report, points));
    if (points >= 2) {
      if (!curve?.update(report.series, report.memory?.containerLimit)) {
        curve?.plot.destroy();
        curve = drawCurve(box, report.series, report.memory?.containerLimit, (index) => {
          if (report && index !== pointed) {
            pointed = index;
            showLegend();
          }
        });
      }
      showLegend();
    }
    show(parts, partsView(report));
    paintSwatches(parts);
  };
}

function swatch(part) {
  return h("canvas", { class: "swatch", "data-own": true, "data-key": "swatch-" + part, "data-part": part, "aria-hidden": "true" });
}

function layerName(name) {
  return name === "rest" ? "everything else" : name === "java heap" ? "Java heap, committed" : partName(name);
}

function leadText(report, points) {
  const resident = known(report.memory?.resident);
  const limit = report.memory?.containerLimit;
  const gc = collectionTotals(report.series?.gc);
  const now = report.complete ? "at the end" : "now";
  return [
    resident ? h("b", null, bytesText(resident)) : null,
    resident ? " resident " + now : null,
    resident && limit ? " of the container's " + bytesText(limit) + " (" + percentText(resident, limit) + ")" : null,
    resident ? ". " : null,
    points < 2 ? "Too short for a curve. " : null,
    points >= 2 ? "The line is resident memory; areas are what was asked for, which may be more than is resident. " : null,
    gc.count ? "Ticks along the lower edge are " + nounText(gc.count, "collection") + (gc.forced ? ", the tall ones the " + countText(gc.forced) + " forced by the program" : "") + "." : null,
  ];
}

/** The parts as bars; what is unexplained is always there, last. */
function partsView(report) {
  const parts = report.memory?.parts ?? [];
  if (!parts.length) {
    return null;
  }
  const most = Math.max(...parts.map((part) => Math.abs(part.bytes)));
  const sorted = [...parts].sort((a, b) => last(a) - last(b) || b.bytes - a.bytes);
  return h("div", null,
    h("h3", null, "Part by part, " + (report.complete ? "at the end" : "now")),
    h("table", { class: "bars" },
      h("caption", null, "These add up to resident memory"),
      h("thead", { class: "unseen" }, h("tr", null, ["part", "bytes", "share", ""].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", null, sorted.map((part) =>
        h("tr", { "data-key": part.part },
          h("th", { scope: "row" }, swatch(part.part), partName(part.part)),
          h("td", { class: "number" }, bytesText(part.bytes)),
          h("td", { class: "number soft" }, percentText(part.bytes, report.memory.resident)),
          h("td", { class: "wide" }, bar(Math.abs(part.bytes) / most, part.part === "unexplained" ? "fill rest" : "fill")))))),
    parts.some((part) => part.part === "unexplained" && part.bytes < 0)
      ? h("p", { class: "hint" }, "Unexplained is negative: parts count what is committed, of which not all is resident.")
      : null);
}

function last(part) {
  return part.part === "unexplained" ? 1 : 0;
}
