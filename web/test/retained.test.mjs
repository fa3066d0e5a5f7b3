import assert from "node:assert/strict";
import { test } from "node:test";
import { changedParts, retainedKinds, retainedSites } from "../library/retained.js";

function kind(opened, closed, lost = 0) {
  const open = opened - closed - lost;
  return { kind: "unsafe", opened, closed, collected: 0, lost, open, bytes: 8 * open, openedBytes: 8 * opened, lostBytes: 8 * lost };
}

const between = (first, second) => retainedKinds({ kinds: [first] }, { kinds: [second] });

test("what ended may have been opened before the first mark, or after it", () => {
  const [row] = between(kind(100, 0), kind(150, 30));
  assert.deepEqual(row, { kind: "unsafe", opened: 50, ended: 30, count: [20, 50], bytes: [160, 400] });
});

test("no more is new than is held", () => assert.deepEqual(between(kind(10, 0), kind(1000, 980))[0].count, [10, 20]));

test("if none ended, it is exact; what is lost is held", () => {
  assert.deepEqual(between(kind(100, 40), kind(150, 40, 5))[0].count, [50, 50]);
});

test("if all ended, there is nothing", () => assert.deepEqual(between(kind(100, 100), kind(150, 150)), []));

test("a kind that was not there before is all new", () => {
  assert.deepEqual(retainedKinds({ kinds: [] }, { kinds: [kind(7, 0)] })[0].count, [7, 7]);
});

test("lines that hold more, the most first; of kinds without bytes by count", () => {
  const site = (name, open, bytes) => ({ kind: "k", frames: [name], open, lost: 0, bytes, lostBytes: 0 });
  const first = { sites: [site("a", 5, 50), site("c", 5, 50)] };
  const second = { sites: [site("c", 5, 50), site("d", 3, 0), site("a", 6, 60), site("b", 9, 90)] };
  assert.deepEqual(
    retainedSites(first, second).map((row) => [row.frames[0], row.grown, row.more]),
    [
      ["b", 90, 9],
      ["a", 10, 1],
      ["d", 0, 3],
    ],
  );
});

test("parts that changed, also those that are gone", () => {
  const first = { memory: { parts: [{ part: "heap", bytes: 10 }, { part: "file", bytes: 3 }, { part: "code", bytes: 1 }] } }; // prettier-ignore
  const second = { memory: { parts: [{ part: "heap", bytes: 15 }, { part: "code", bytes: 1 }, { part: "new", bytes: 9 }] } }; // prettier-ignore
  assert.deepEqual(changedParts(first, second), [
    { part: "new", bytes: 9, change: 9 },
    { part: "heap", bytes: 15, change: 5 },
    { part: "file", bytes: 0, change: -3 },
  ]);
});
