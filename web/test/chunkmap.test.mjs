import assert from "node:assert/strict";
import { test } from "node:test";
import { cellOf, cellsOf, countsOf, longestFree } from "../sections/chunkmap.js";

test("rows join to one string", () => {
  assert.equal(cellsOf({ rows: ["##", ".+"] }), "##.+");
  assert.equal(cellsOf({}), "");
});

test("cells are counted, and the longest free run found", () => {
  assert.deepEqual(countsOf("##..:_"), [
    [2, "handed out"],
    [1, "free, in pieces smaller than a cell"],
    [2, "free"],
    [1, "reserved, not committed"],
  ]);
  assert.equal(longestFree("..#...:."), 3);
  assert.equal(longestFree("###"), 0);
  assert.equal(longestFree(""), 0);
});

test("a cell that is not known counts for nothing", () => assert.equal(cellOf("?").name, "reserved"));
