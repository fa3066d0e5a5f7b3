import assert from "node:assert/strict";
import { test } from "node:test";
import { byteSteps, collectionTotals, collectionsByCause, edgesOf, layersOf, pictureOf, ticksOf } from "../library/layers.js";

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

test("edges lie on each other, and none above what is resident", () =>
  assert.deepEqual(edgesOf(layersOf(series), series.resident), [
    [50, 50, 50],
    [55, 55, 55],
    [65, 200, 55],
    [100, 200, 55],
  ]));

const account = {
  time: [1, 3],
  resident: [1000, 3000],
  threads: [10, 20],
  rows: [
    { part: "Java heap, used", bytes: [600, 600] },
    { part: "malloc, in use", bytes: [390, 2390] },
    { part: "system", bytes: [4, 4] },
    { part: "unexplained", bytes: [6, 6] },
  ],
};

test("the picture has the parts of the accounts, straight between two, and small ones together", () => {
  const { time, resident, layers, accounted } = pictureOf({ series: { time: [0, 2], resident: [500, 2200] }, account });
  assert.equal(accounted, true);
  assert.deepEqual(time, [0, 1, 2, 3]);
  assert.deepEqual(resident, [500, 1000, 2200, 3000]);
  assert.deepEqual(layers, [
    { name: "Java heap, used", values: [600, 600, 600, 600] },
    { name: "malloc, in use", values: [390, 390, 1390, 2390] },
    { name: "small parts", values: [10, 10, 10, 10] },
    { name: "rest", values: [0, 0, 200, 0] },
  ]);
  assert.deepEqual(edgesOf(layers, resident).at(-1), resident, "their sum is what is resident");
});

test("the line of the Java heap is what the last collection left, at each time of the picture", () => {
  const known = { time: [0, 2], resident: [500, 2200], heapUsed: [90, 95], heapAfterCollection: [null, 40] };
  assert.deepEqual(pictureOf({ series: known, account }).heap, {
    name: "heap in use after the last collection",
    values: [null, null, 40, 40],
  });
  assert.deepEqual(pictureOf({ series: known }).heap.values, [null, 40]);
  const unknown = { ...known, heapAfterCollection: [null, null] };
  assert.deepEqual(pictureOf({ series: unknown }).heap, { name: "heap in use, garbage included", values: [90, 95] });
  assert.equal(pictureOf({ series }).heap, null, "reports of older commands");
});

test("without accounts, and in reports of older commands, the picture has what was committed or requested", () => {
  const old = pictureOf({ series });
  assert.equal(old.accounted, false);
  assert.deepEqual(old.layers, layersOf(series));
  assert.deepEqual(pictureOf({ series, account: null }), old);
  assert.deepEqual(pictureOf({}).time, []);
});

test("ticks can be told apart, however many collections there are", () => {
  const gc = Array.from({ length: 10_000 }, (_, i) => ({ time: i / 100, pause: 1, cause: i === 5003 ? "System.gc()" : "a" }));
  const ticks = ticksOf(gc, (time) => 5 * time, 4);
  assert.equal(ticks.length, 126);
  assert.deepEqual(new Set(ticks.slice(1).map(({ x }, i) => x - ticks[i].x)), new Set([4]));
  assert.deepEqual(
    ticks.filter((tick) => tick.forced).map((tick) => tick.x),
    [252],
  );
});

test("no data, no layers", () => {
  assert.deepEqual(layersOf({}), []);
  assert.deepEqual(edgesOf([], []), []);
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
