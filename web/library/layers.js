// What lies on what in the picture of resident memory. Plain functions, no page needed.

const ORDER = ["arena.confined", "arena.shared", "arena.automatic", "buffer.direct", "unsafe", "jna", "malloc.downcall", "malloc.jna"];

/** Of parts with less than this share of the most that was resident, one layer is made. */
const SMALL = 0.01;

export const SMALL_PARTS = "small parts";
export const REST = "rest";
export const HEAP_AFTER = "heap in use after the last collection";
export const HEAP_IN_USE = "heap in use, garbage included";

/**
 * What the picture shows: {time, resident, layers, heap, gc, accounted}. Where somebody looked where resident memory was, the layers are its
 * parts, between two looks on a straight line; otherwise the Java heap and kinds of resources, which are no resident figures.
 */
export function pictureOf(report) {
  const series = report.series ?? {};
  const account = report.account;
  if (!account?.time?.length) {
    const lines = heapOf(series, series.time ?? []);
    return {
      time: series.time ?? [],
      resident: series.resident ?? [],
      layers: layersOf(series),
      heap: lines,
      gc: series.gc ?? [],
      accounted: false,
    };
  }
  const time = [...new Set([...(series.time ?? []), ...account.time])].sort((a, b) => a - b);
  const seen = new Map((series.time ?? []).map((at, i) => [at, series.resident?.[i] ?? null]));
  account.time.forEach((at, i) => seen.set(at, account.resident[i]));
  const resident = time.map((at) => seen.get(at));
  const places = time.map((at) => placeIn(account.time, at));
  const most = Math.max(...account.resident);
  const layers = [];
  let small = null;
  for (const { part, bytes } of account.rows) {
    const values = places.map(([i, share]) => Math.round(bytes[i] + share * ((bytes[i + 1] ?? bytes[i]) - bytes[i])));
    if (Math.max(...bytes) >= SMALL * most) {
      layers.push({ name: part, values });
    } else {
      small = small ? small.map((value, i) => value + values[i]) : values;
    }
  }
  if (small) {
    layers.push({ name: SMALL_PARTS, values: small });
  }
  const rest = time.map((_, i) => restAt(resident[i], layers, i));
  if (rest.some((value) => value > SMALL * most)) {
    layers.push({ name: REST, values: rest });
  }
  return { time, resident, layers, heap: heapOf(series, time), gc: series.gc ?? [], accounted: true };
}

/**
 * The line of what the program needs of its Java heap: {name, values}, or null if it is not known. Of collectors that do not say what a
 * collection left it is all that is in use.
 */
function heapOf(series, time) {
  const isAfter = series.heapAfterCollection?.some((value) => value !== null);
  const known = isAfter ? series.heapAfterCollection : series.heapUsed;
  if (!known?.some((value) => value !== null)) {
    return null;
  }
  let i = -1;
  const values = time.map((at) => {
    while (i < series.time.length - 1 && series.time[i + 1] <= at) {
      i++;
    }
    return i < 0 ? null : known[i];
  });
  return { name: isAfter ? HEAP_AFTER : HEAP_IN_USE, values };
}

/** Between which two of them a time lies: [the one before, how far it is to the next]. Outside it is at the end. */
function placeIn(times, at) {
  let i = 0;
  while (i < times.length - 1 && times[i + 1] <= at) {
    i++;
  }
  const next = times[i + 1];
  return next === undefined || at <= times[i] ? [i, 0] : [i, (at - times[i]) / (next - times[i])];
}

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
    layers.push({ name: REST, values: time.map((_, i) => restAt(series.resident[i], layers, i)) });
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

/**
 * The upper edge of each layer. Where a layer has a gap, its edge is that of the one below. Nothing lies above what is resident, where
 * that is known: what was committed or requested need not be resident.
 */
export function edgesOf(layers, resident) {
  const edges = [];
  let below = resident.map(() => 0);
  for (const layer of layers) {
    below = below.map((edge, i) => Math.min(edge + (layer.values[i] ?? 0), resident[i] ?? Infinity));
    edges.push(below);
  }
  return edges;
}

/**
 * Collections as ticks that can be told apart: of those closer than `least` pixels one is drawn, a forced one rather than another.
 * `place(time)`: where a time is, in pixels. [{x, forced}].
 */
export function ticksOf(gc, place, least) {
  const ticks = new Map();
  for (const each of gc) {
    const slot = Math.round(place(each.time) / least);
    ticks.set(slot, { x: slot * least, forced: isForced(each) || Boolean(ticks.get(slot)?.forced) });
  }
  return [...ticks.values()];
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
