// What lies on what in the picture of resident memory. Plain functions, no page needed.

const ORDER = ["arena.confined", "arena.shared", "arena.automatic", "buffer.direct", "unsafe", "jna"];

/**
 * The layers from the bottom up, [{name, values}]: the Java heap, each kind that ever held bytes, and what of resident memory
 * none of them explains. A gap in the data is null.
 */
export function layersOf(series) {
  const time = series.time ?? [];
  const layers = [];
  if (series.heapCommitted?.some((value) => value > 0)) {
    layers.push({ name: "java heap", values: series.heapCommitted });
  }
  const kinds = Object.entries(series.kinds ?? {}).filter(([, values]) => values.some((value) => value > 0));
  kinds.sort(([a], [b]) => rank(a) - rank(b));
  for (const [name, values] of kinds) {
    layers.push({ name, values });
  }
  if (series.resident?.length) {
    layers.push({ name: "rest", values: time.map((_, i) => restAt(series.resident[i], layers, i)) });
  }
  return layers;
}

function rank(kind) {
  const at = ORDER.indexOf(kind);
  return at < 0 ? ORDER.length : at;
}

function restAt(resident, layers, i) {
  if (resident === null || resident === undefined) {
    return null;
  }
  return Math.max(0, resident - layers.reduce((sum, layer) => sum + (layer.values[i] ?? 0), 0));
}

/** The upper edge of each layer. Where a layer has a gap, its edge is that of the one below. */
export function edgesOf(layers, points) {
  const edges = [];
  let below = new Array(points).fill(0);
  for (const layer of layers) {
    below = below.map((edge, i) => edge + (layer.values[i] ?? 0));
    edges.push(below);
  }
  return edges;
}

/** The distances that marks on an axis of bytes may have: powers of two, so that they read well. */
export function byteSteps() {
  return Array.from({ length: 41 }, (_, power) => 1024 * 2 ** power);
}

/** Collections in all: {count, pause, forced, longest} with pauses in milliseconds. */
export function collectionTotals(gc) {
  const totals = { count: 0, pause: 0, forced: 0, longest: 0 };
  for (const each of gc ?? []) {
    const count = each.count ?? 1;
    totals.count += count;
    totals.pause += each.pause;
    totals.forced += isForced(each) ? count : 0;
    totals.longest = Math.max(totals.longest, each.pause);
  }
  return totals;
}

export function isForced(collection) {
  return collection.cause === "System.gc()";
}

/** Collections by cause, the most pause first: [{cause, count, pause, longest, isSum}]. `isSum`: the longest is at most that, since of some the sum alone is known. */
export function collectionsByCause(gc) {
  const causes = new Map();
  for (const { cause, pause, count = 1 } of gc ?? []) {
    const sum = causes.get(cause) ?? { cause, count: 0, pause: 0, longest: 0, isSum: false };
    sum.count += count;
    sum.isSum ||= count > 1;
    sum.pause += pause;
    sum.longest = Math.max(sum.longest, pause);
    causes.set(cause, sum);
  }
  return [...causes.values()].sort((a, b) => b.pause - a.pause);
}
