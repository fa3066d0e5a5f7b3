// Rows of a fleet's report in an order, filtered, and as curves. Plain functions, no page needed.

/** Whether every word of the filter is in one of the row's texts. */
export function matchesText(row, fields, filter) {
  const text = fields
    .map((field) => row[field] ?? "")
    .join("\n")
    .toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Rows by a value: numbers from the most to the least, texts from A to Z, or the other way round. What is not known comes last. */
export function sorted(rows, value, reversed = false) {
  const sign = reversed ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [x, y] = [value(a) ?? null, value(b) ?? null];
    if (x === null || y === null) {
      return (x === null) - (y === null);
    }
    return sign * (typeof x === "number" ? y - x : String(x).localeCompare(String(y), "en"));
  });
}

/** Rows by a field, in the order in which its values first appear: [[value, rows]]. */
export function groupsOf(rows, field) {
  const groups = new Map();
  for (const row of rows) {
    const group = groups.get(row[field]);
    if (group) {
      group.push(row);
    } else {
      groups.set(row[field], [row]);
    }
  }
  return [...groups];
}

/** Points {x, y} of rows over time; what is not known is left out. `total`: each point is the sum of all until then. */
export function pointsOf(rows, field, total = false) {
  let sum = 0;
  return sorted(rows, (row) => -row.timeMs)
    .filter((row) => row[field] !== null && row[field] !== undefined)
    .map((row) => ({ x: row.timeMs, y: total ? (sum += row[field]) : row[field] }));
}

/** The ends of the axes that all curves fit between: y begins at 0. */
export function reachOf(curves) {
  const points = curves.flatMap((curve) => curve.points);
  return {
    from: points.reduce((least, { x }) => Math.min(least, x), Infinity),
    to: points.reduce((most, { x }) => Math.max(most, x), -Infinity),
    most: points.reduce((most, { y }) => Math.max(most, y), 0),
  };
}

/** A curve as the path of an SVG of that size; a single point is a short line. */
export function pathOf(points, { from, to, most }, width, height) {
  const x = (value) => (to > from ? ((value - from) / (to - from)) * width : width / 2).toFixed(1);
  const y = (value) => (height - (most > 0 ? value / most : 0) * height).toFixed(1);
  const steps = points.map((point, index) => (index ? "L" : "M") + x(point.x) + " " + y(point.y));
  return points.length === 1 ? steps[0] + "h3" : steps.join("");
}

/** A moment of UTC as people of all countries read it: 2026-11-20 14:05. */
export function momentText(millis) {
  return Number.isFinite(millis) ? new Date(millis).toISOString().slice(0, 16).replace("T", " ") : "";
}
