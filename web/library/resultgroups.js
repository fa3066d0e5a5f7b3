// Rows of measurements in tables. Plain functions, no page needed.

const OURS = "offcut";

/**
 * One run's rows by case, then in tables of one metric and runtime: [{name, tables: [{metric, unit, runtime, rows}]}], all in the order
 * of the file. Each row gets `ratio`: its value by ours of the same case, metric, runtime, threads and collector; null without one, and
 * for ours. Ratios are of one run, never across runs.
 */
export function casesOf(rows) {
  const ours = new Map(rows.filter((row) => row.impl === OURS).map((row) => [settingOf(row), row.value]));
  const cases = new Map();
  for (const row of rows) {
    const tables = upsert(cases, row.case, new Map());
    const key = [row.metric, row.unit, row.runtime].join("\n");
    const table = upsert(tables, key, { metric: row.metric, unit: row.unit, runtime: row.runtime, rows: [] });
    const base = ours.get(settingOf(row));
    table.rows.push({ ...row, ours: row.impl === OURS, ratio: row.impl === OURS || !base ? null : row.value / base });
  }
  return [...cases].map(([name, tables]) => ({ name, tables: [...tables.values()] }));
}

function settingOf(row) {
  return [row.case, row.metric, row.unit, row.runtime, row.threads, row.gc].join("\n");
}

function upsert(map, key, fresh) {
  if (!map.has(key)) {
    map.set(key, fresh);
  }
  return map.get(key);
}

/** The most that a table's bars and intervals reach to; 0 if all is zero. */
export function reachOf(rows) {
  return Math.max(0, ...rows.map((row) => row.value + row.spread));
}

/** A number with three digits that count: 7.12, 31.6, 1,204; 0.0031. */
export function figureText(value) {
  const size = Math.abs(value);
  if (size >= 100 || size === 0) {
    return Math.round(value).toLocaleString("en-US").replace("-", "−");
  }
  const digits = Math.max(0, 2 - Math.floor(Math.log10(size)));
  return value.toFixed(Math.min(digits, 8)).replace("-", "−");
}

/** `cpu_ns_per_op` as words. */
export function metricText(metric) {
  return metric.replaceAll("_", " ");
}
