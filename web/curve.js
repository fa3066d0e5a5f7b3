// The curve of resident memory: uPlot with layers stacked, collections as ticks and the container's limit as a line.

import uPlot from "./vendor/uplot/uPlot.esm.js";
import { edgesOf, isForced, layersOf, byteSteps } from "./layers.js";
import { colour, fillOf } from "./palette.js";
import { bytesText, clockText } from "./text.js";

const HEIGHT = 300;

/**
 * Draws into an element and stays there. `limit`: bytes or null. `moved(index)`: the reader points at that point of time, or at none
 * (null). While the reader has zoomed in, new data do not move the picture.
 */
export function drawCurve(element, series, limit, moved) {
  let layers = layersOf(series);
  let shown = series;
  let bound = limit;
  const plot = new uPlot(options(element.clientWidth), columns(), element);
  window.addEventListener("resize", () => plot.setSize({ width: element.clientWidth, height: HEIGHT }));

  function columns() {
    return [shown.time, ...edgesOf(layers, shown.time.length), shown.resident ?? []];
  }

  function options(width) {
    const axis = {
      stroke: () => colour("soft"),
      grid: { stroke: () => colour("line"), width: 1 },
      ticks: { stroke: () => colour("line"), width: 1 },
      font: "12px system-ui, sans-serif",
    };
    return {
      width,
      height: HEIGHT,
      padding: [8, 12, 0, 0],
      legend: { show: false },
      cursor: { points: { show: false }, y: false, drag: { x: true, y: false } },
      scales: { x: { time: false }, y: { range: (_, least, most) => [0, Math.max(1024, most, bound && bound < 2 * most ? bound : 0) * 1.05] } },
      axes: [
        { ...axis, size: 30, values: (_, marks) => marks.map(clockText) },
        { ...axis, size: 74, incrs: byteSteps(), values: (_, marks) => marks.map(bytesText) },
      ],
      series: [
        {},
        ...layers.map((layer, index) => ({
          width: 1,
          stroke: () => colour("edge"),
          points: { show: false },
          fill: index === 0 ? (self) => fillOf(layer.name, self.ctx, window.devicePixelRatio || 1) : undefined,
        })),
        { width: 2, stroke: () => colour("text"), points: { show: false } },
      ],
      bands: layers.slice(1).map((layer, index) => ({
        series: [index + 2, index + 1],
        fill: (self) => fillOf(layer.name, self.ctx, window.devicePixelRatio || 1),
      })),
      hooks: {
        draw: [drawLimit, drawCollections],
        setCursor: [(self) => moved(self.cursor.idx ?? null)],
      },
    };
  }

  function drawLimit(self) {
    if (!bound || bound > self.scales.y.max) {
      return;
    }
    const y = self.valToPos(bound, "y", true);
    const scale = window.devicePixelRatio || 1;
    const { ctx, bbox } = self;
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
    ctx.fillText("container limit " + bytesText(bound), bbox.left + 6 * scale, y + 3 * scale);
    ctx.restore();
  }

  /** Along the lower edge: a short tick for a collection, a tall one if it was forced. */
  function drawCollections(self) {
    const scale = window.devicePixelRatio || 1;
    const { ctx, bbox } = self;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    for (const each of shown.gc ?? []) {
      const forced = isForced(each);
      const height = (forced ? 22 : 9) * scale;
      ctx.fillStyle = colour(forced ? "cost" : "text");
      ctx.fillRect(self.valToPos(each.time, "x", true) - scale / 2, bbox.top + bbox.height - height, (forced ? 2 : 1) * scale, height);
    }
    ctx.restore();
  }

  return {
    plot,
    redraw: () => plot.redraw(false, true),
    /** New data; says whether the layers are still the same ones. If not, nothing was done: draw anew. */
    update(next, nextLimit) {
      const nextLayers = layersOf(next);
      if (nextLayers.map((layer) => layer.name).join() !== layers.map((layer) => layer.name).join()) {
        return false;
      }
      const { min, max } = plot.scales.x;
      const zoomed = shown.time.length > 0 && (min > shown.time[0] || max < shown.time.at(-1));
      layers = nextLayers;
      shown = next;
      bound = nextLimit;
      plot.setData(columns(), !zoomed);
      if (zoomed) {
        plot.redraw();
      }
      return true;
    },
  };
}
