import assert from "node:assert/strict";
import { test } from "node:test";
import { byteSteps, collectionTotals, collectionsByCause, edgesOf, layersOf } from "../library/layers.js";

const series = {
  time: [0, 1, 2],
  resident: [100, 200, null],
  heapCommitted: [50, 50, 50],
  kinds: { jna: [0, 0, 0], unsafe: [10, 200, null], "arena.confined": [5, 5, 5] },
};

test("layers are the heap, kinds in a fixed order, and the rest", () => {
  const layers = layersOf(series);
  assert.deepEqual(
    layers.map((layer) => layer.name),
    ["java heap", "arena.confined", "unsafe", "rest"],
  );
  assert.deepEqual(layers.at(-1).values, [35, 0, null], "never below zero; a gap where resident memory has one");
});

test("edges lie on each other", () =>
  assert.deepEqual(edgesOf(layersOf(series), 3), [
    [50, 50, 50],
    [55, 55, 55],
    [65, 255, 55],
    [100, 255, 55],
  ]));

test("no data, no layers", () => {
  assert.deepEqual(layersOf({}), []);
  assert.deepEqual(edgesOf([], 0), []);
});

test("steps are powers of two", () => {
  assert.equal(byteSteps()[0], 1024);
  assert.ok(byteSteps().every((step) => Number.isInteger(Math.log2(step))));
});

test("collections are summed up by cause, the most pause first", () => {
  const gc = [
    { pause: 1, cause: "a" },
    { pause: 5, cause: "System.gc()" },
    { pause: 3, cause: "a" },
  ];
  assert.deepEqual(collectionTotals(gc), { count: 3, pause: 9, forced: 1, longest: 5 });
  assert.deepEqual(
    collectionsByCause(gc).map((row) => [row.cause, row.count, row.pause, row.longest]),
    [
      ["System.gc()", 1, 5, 5],
      ["a", 2, 4, 3],
    ],
  );
  assert.deepEqual(collectionsByCause(undefined), []);
});
