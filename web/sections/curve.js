// The curve of resident memory: uPlot with layers stacked, collections as ticks and the container's limit as a line.

import uPlot from "../vendor/uplot/uPlot.esm.js";
import { byteSteps, edgesOf, ticksOf } from "../library/layers.js";
import { colour, fillOf } from "../library/palette.js";
import { bytesText, clockText } from "../library/text.js";

const HEIGHT = 300;
const FORCED_TICK = 22;
const TICK = 9;

/** Ticks are at least so many pixels apart. */
const TICKS_APART = 4;

/** Draws into an element and stays there. While the reader has zoomed in, new data do not move the picture. */
export class Curve {
  #element;
  #picture;
  #limit;
  #plot;
  #resized = () => this.#plot.setSize({ width: this.#element.clientWidth, height: HEIGHT });

  /** `picture`: of library/layers.js. `limit`: bytes or null. `moved(index)`: the reader points at that point of time, or at none (null). */
  constructor(element, picture, limit, moved) {
    this.#element = element;
    this.#picture = picture;
    this.#limit = limit;
    this.#plot = new uPlot(this.#options(moved), this.#columns(), element);
    window.addEventListener("resize", this.#resized);
  }

  remove() {
    window.removeEventListener("resize", this.#resized);
    this.#plot.destroy();
  }

  redraw() {
    this.#plot.redraw(false, true);
  }

  /** New data; says whether the layers are still the same ones. If not, nothing was done: make another curve. */
  update(picture, limit) {
    if (namesOf(picture) !== namesOf(this.#picture)) {
      return false;
    }
    const zoomed = this.#zoomed();
    this.#picture = picture;
    this.#limit = limit;
    this.#plot.setData(this.#columns(), !zoomed);
    if (zoomed) {
      this.#plot.redraw();
    }
    return true;
  }

  #zoomed() {
    const { min, max } = this.#plot.scales.x;
    const { time } = this.#picture;
    return min > time[0] || max < time.at(-1);
  }

  /** Points at a point of time, and brings it into sight. */
  point(index) {
    const x = this.#picture.time[index];
    const { min, max } = this.#plot.scales.x;
    if (x < min || x > max) {
      this.zoom(index, 1);
    }
    this.#plot.setCursor({ left: this.#plot.valToPos(x, "x"), top: 10 });
  }

  /** Shows `factor` as much time as now, around a point of it. */
  zoom(index, factor) {
    const { min, max } = this.#plot.scales.x;
    const { time } = this.#picture;
    const half = Math.min(time.at(-1) - time[0], (max - min) * factor) / 2;
    const from = Math.max(time[0], Math.min(time[index] - half, time.at(-1) - 2 * half));
    this.#plot.setScale("x", { min: from, max: from + 2 * half });
  }

  whole() {
    const { time } = this.#picture;
    this.#plot.setScale("x", { min: time[0], max: time.at(-1) });
  }

  #columns() {
    const { time, resident, layers } = this.#picture;
    return [
      time,
      ...edgesOf(
        layers,
        time.map((_, i) => resident[i] ?? null),
      ),
      resident,
      ...(this.#picture.heap ? [this.#picture.heap.values] : []),
    ];
  }

  #options(moved) {
    return {
      width: this.#element.clientWidth,
      height: HEIGHT,
      padding: [8, 12, 0, 0],
      legend: { show: false },
      cursor: { points: { show: false }, y: false, drag: { x: true, y: false } },
      scales: { x: { time: false }, y: { range: (_, least, most) => [0, this.#top(most)] } },
      axes: [
        { ...axis(), size: 30, values: (_, marks) => marks.map(clockText) },
        { ...axis(), size: 74, incrs: byteSteps(), values: (_, marks) => marks.map(bytesText) },
      ],
      ...this.#areas(),
      hooks: {
        draw: [(plot) => this.#drawLimit(plot), (plot) => this.#drawCollections(plot)],
        setCursor: [(plot) => moved(plot.cursor.idx ?? null)],
      },
    };
  }

  /** The upper end of the axis: the limit is in the picture unless that would squeeze all else. */
  #top(most) {
    const limit = this.#limit && this.#limit < 2 * most ? this.#limit : 0;
    return Math.max(1024, most, limit) * 1.05;
  }

  /** Each area lies between its own edge and that of the one below; the lowest reaches down to zero. */
  #areas() {
    const fill = (index) => (plot) => fillOf(this.#picture.layers[index].name, plot.ctx, window.devicePixelRatio || 1);
    const edge = { width: 1, stroke: () => colour("edge"), points: { show: false } };
    const resident = { width: 2, stroke: () => colour("text"), points: { show: false } };
    const heap = { ...resident, width: 1.5, dash: [4, 3] };
    const lines = this.#picture.heap ? [resident, heap] : [resident];
    return {
      series: [{}, ...this.#picture.layers.map((_, index) => (index ? edge : { ...edge, fill: fill(0) })), ...lines],
      bands: this.#picture.layers.slice(1).map((_, index) => ({ series: [index + 2, index + 1], fill: fill(index + 1) })),
    };
  }

  #drawLimit(plot) {
    if (!this.#limit || this.#limit > plot.scales.y.max) {
      return;
    }
    const y = plot.valToPos(this.#limit, "y", true);
    const scale = window.devicePixelRatio || 1;
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.strokeStyle = ctx.fillStyle = colour("lost");
    ctx.setLineDash([6 * scale, 4 * scale]);
    ctx.lineWidth = 2 * scale;
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    ctx.font = 12 * scale + "px system-ui, sans-serif";
    ctx.textAlign = "left";
    ctx.textBaseline = "top";
    ctx.fillText("container limit " + bytesText(this.#limit), bbox.left + 6 * scale, y + 3 * scale);
    ctx.restore();
  }

  /** Along the lower edge: a short tick for a collection, or for several that lie too close; a tall one if it was forced. */
  #drawCollections(plot) {
    const scale = window.devicePixelRatio || 1;
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    for (const { x, forced } of ticksOf(this.#picture.gc, (time) => plot.valToPos(time, "x", true), TICKS_APART * scale)) {
      const height = (forced ? FORCED_TICK : TICK) * scale;
      ctx.fillStyle = colour(forced ? "cost" : "soft");
      ctx.fillRect(x - scale / 2, bbox.top + bbox.height - height, (forced ? 2 : 1) * scale, height);
    }
    ctx.restore();
  }
}

function axis() {
  return {
    stroke: () => colour("soft"),
    grid: { stroke: () => colour("line"), width: 1 },
    ticks: { stroke: () => colour("line"), width: 1 },
    font: "12px system-ui, sans-serif",
  };
}

function namesOf(picture) {
  return [...picture.layers, picture.heap ?? { name: "" }].map((layer) => layer.name).join();
}
