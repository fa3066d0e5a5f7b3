import assert from "node:assert/strict";
import { test } from "node:test";
import { casesOf, figureText, reachOf } from "../library/resultgroups.js";

const row = (more) => ({
  case: "open",
  impl: "offcut",
  version: "1",
  runtime: "r",
  threads: 1,
  gc: "G1",
  metric: "ns_per_op",
  value: 2,
  unit: "ns",
  spread: 0,
  ...more,
});

test("by case, metric and runtime, in the order of the file", () => {
  const cases = casesOf([row(), row({ case: "close" }), row({ metric: "bytes" }), row({ impl: "peer" }), row({ runtime: "s" })]);
  assert.deepEqual(
    cases.map((one) => [one.name, one.tables.map((table) => table.metric + " " + table.runtime + " " + table.rows.length)]),
    [
      ["open", ["ns_per_op r 2", "bytes r 1", "ns_per_op s 1"]],
      ["close", ["ns_per_op r 1"]],
    ],
  );
});

test("ratios are of the same setting, and of one run", () => {
  const [
    {
      tables: [{ rows }],
    },
  ] = casesOf([
    row(),
    row({ impl: "peer", value: 5 }),
    row({ impl: "peer", value: 5, threads: 4 }),
    row({ threads: 4, value: 10 }),
    row({ impl: "peer", gc: "ZGC" }),
  ]);
  assert.deepEqual(
    rows.map((one) => one.ratio),
    [null, 2.5, 0.5, null, null],
  );
});

test("no ratio to nothing", () => assert.equal(casesOf([row({ value: 0 }), row({ impl: "peer" })])[0].tables[0].rows[1].ratio, null));

test("intervals count to the reach", () => {
  assert.equal(reachOf([row(), row({ value: 9, spread: 2 })]), 11);
  assert.equal(reachOf([]), 0);
});

test("figures have three digits that count", () =>
  [
    [0, "0"],
    [7.123, "7.12"],
    [31.62, "31.6"],
    [99.96, "100.0"],
    [1204.4, "1,204"],
    [0.00312, "0.00312"],
    [-5, "−5.00"],
  ].forEach(([value, text]) => assert.equal(figureText(value), text)));
