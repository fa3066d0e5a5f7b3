// Where resident memory goes: over time, and part by part at the end.

import { Curve } from "./curve.js";
import { h, show } from "./dom.js";
import { collectionTotals } from "./layers.js";
import { legendView } from "./legend.js";
import { partsView } from "./memoryparts.js";
import { onColours, paintSwatches } from "./palette.js";
import { bytesText, countText, isOver, known, nounText, percentText } from "./text.js";

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
  #curve = null;
  #pointed = null; // the point of time that the reader looks at, or null for the last

  constructor(body) {
    this.#body = body;
    const hint = "Drag over the curve for a shorter time; with the keyboard: ← → move, + − zoom, 0 the whole. ";
    const keys = h("p", { id: "memory-keys", class: "hint" }, hint, this.#whole);
    this.#columns = h("div", { class: "beside" }, h("div", null, this.#box, keys), this.#legend);
    body.append(this.#lead, this.#columns, this.#parts);
    this.#whole.addEventListener("click", () => this.#curve.whole());
    this.#box.addEventListener("keydown", (event) => this.#onKey(event));
    onColours(() => this.#repaint());
  }

  update(report) {
    this.#report = report;
    const drawn = (report.series?.time?.length ?? 0) >= 2;
    this.#columns.classList.toggle("waiting", !drawn); // a page that moves keeps the place free
    show(this.#lead, leadText(report, drawn));
    if (drawn) {
      this.#drawCurve();
      this.#showLegend();
    }
    show(this.#parts, partsView(report));
    paintSwatches(this.#body);
  }

  #drawCurve() {
    const { series, memory: resident } = this.#report;
    if (!this.#curve?.update(series, resident?.containerLimit)) {
      this.#curve?.remove();
      this.#curve = new Curve(this.#box, series, resident?.containerLimit, (index) => this.#point(index));
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
    show(this.#legend, legendView(this.#report.series, this.#pointed));
    paintSwatches(this.#legend);
  }

  #onKey(event) {
    const last = this.#report.series.time.length - 1;
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

function leadText(report, drawn) {
  return [residentText(report), drawn ? LEAD : "Too short for a curve. ", drawn ? collectionsText(report) : null];
}

const LEAD = "The line is resident memory. The areas are memory that was requested, which can be more than is resident. ";

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
  const { count, forced } = collectionTotals(report.series.gc);
  const tall = forced ? "; the program forced the tall ones, " + countText(forced) : "";
  return count ? "Ticks at the lower edge are " + nounText(count, "collection") + tall + "." : null;
}
