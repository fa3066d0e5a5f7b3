import assert from "node:assert/strict";
import { test } from "node:test";
import { groupsOf, matchesText, momentText, pathOf, pointsOf, reachOf, sorted } from "../library/fleetrows.js";

test("numbers from the most, texts from A, what is not known last, either way round", () => {
  const rows = [{ n: 2 }, { n: null }, { n: 30 }, {}, { n: 7 }];
  const numbers = (reversed) => sorted(rows, (row) => row.n, reversed).map((row) => row.n ?? "none");
  assert.deepEqual(numbers(false), [30, 7, 2, "none", "none"]);
  assert.deepEqual(numbers(true), [2, 7, 30, "none", "none"]);
  const texts = [{ t: "b" }, { t: "A" }, { t: "c" }];
  assert.deepEqual(
    sorted(texts, (row) => row.t).map((row) => row.t),
    ["A", "b", "c"],
  );
  assert.equal(rows[0].n, 2, "the rows themselves stay as they are");
});

test("each word of the filter is somewhere in the row", () => {
  const row = { line: "com.acme.Orders.load(Orders.java:3)", name: "jna", service: null };
  const found = (filter) => matchesText(row, ["line", "name", "service"], filter);
  assert.ok(found(""));
  assert.ok(found("orders JNA"));
  assert.ok(!found("orders netty"));
  assert.ok(!found("null"));
});

test("points in the order of time; the sum until then leaves out what is not known", () => {
  const rows = [
    { timeMs: 20, lost: 5 },
    { timeMs: 10, lost: 3 },
    { timeMs: 15, lost: null },
  ];
  const at = (points) => points.map(({ x, y }) => [x, y]);
  assert.deepEqual(at(pointsOf(rows, "lost")), [
    [10, 3],
    [20, 5],
  ]);
  assert.deepEqual(at(pointsOf(rows, "lost", true)), [
    [10, 3],
    [20, 8],
  ]);
});

test("paths fit their picture, also of one point and of zeros", () => {
  const points = [
    { x: 0, y: 0 },
    { x: 10, y: 4 },
  ];
  const reach = reachOf([{ points }, { points: [] }]);
  assert.deepEqual(reach, { from: 0, to: 10, most: 4 });
  assert.equal(pathOf(points, reach, 100, 40), "M0.0 40.0L100.0 0.0");
  const single = [{ x: 5, y: 0 }];
  assert.equal(pathOf(single, reachOf([{ points: single }]), 100, 40), "M50.0 40.0h3");
});

test("groups in the order in which they appear", () => {
  const rows = [{ s: "b" }, { s: "a" }, { s: "b" }];
  assert.deepEqual(
    groupsOf(rows, "s").map(([name, group]) => [name, group.length]),
    [
      ["b", 2],
      ["a", 1],
    ],
  );
});

test("moments are in UTC, and none is empty", () => {
  assert.equal(momentText(Date.UTC(2026, 10, 20, 14, 5)), "2026-11-20 14:05");
  assert.equal(momentText(NaN), "");
});
