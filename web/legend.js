// The legend of the curve: what each area is, and how much of it there was at one time.

import { h } from "./dom.js";
import { layersOf } from "./layers.js";
import { swatch } from "./parts.js";
import { bytesText, clockText, kindName, known } from "./text.js";

/** `pointed`: the index of a time, or null for the last. The areas are named from the top down, as they lie. */
export function legendView(series, pointed) {
  const last = series.time.length - 1;
  const at = Math.min(pointed ?? last, last);
  const rows = layersOf(series)
    .reverse()
    .map(({ name, values }) => legendRow(name, swatch(name), layerName(name), values, at));
  const line = legendRow("resident", h("span", { class: "swatch line" }), "resident", series.resident ?? [], at);
  const head = ["part", "bytes", "peak"].map((name, place) => h("th", { scope: "col", class: place ? "number" : null }, name));
  return h(
    "table",
    null,
    h("caption", null, "At " + clockText(series.time[at]) + (pointed === null ? ", the last" : "")),
    h("thead", null, h("tr", null, head)),
    h("tbody", null, line, rows),
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

function layerName(name) {
  return { rest: "everything else", "java heap": "Java heap, committed" }[name] ?? kindName(name);
}
