import assert from "node:assert/strict";
import { test } from "node:test";
import { matches, rank, siteKey, telling } from "../library/ranking.js";

const site = (name, lostBytes, bytes, opened = 1) => ({
  kind: "jna",
  frames: ["a.B." + name + "(B.java:1)"],
  lostBytes,
  bytes,
  opened,
  lost: 0,
  open: 0,
  collected: 0,
});
const a = site("a", 0, 5);
const b = site("b", 7, 1);
const c = site("c", 0, 9);

test("from the most to the least, ties by what is worse", () => {
  assert.deepEqual(rank([a, b, c], "lostBytes"), [b, c, a]);
  assert.deepEqual(rank([a, b, c], "bytes"), [c, a, b]);
  assert.deepEqual(rank([a, b, c], "held"), [c, b, a]);
});

test("rows that are held keep their places", () => assert.deepEqual(rank([a, b, c], "lostBytes", "", [siteKey(a), siteKey(c)]), [a, c, b]));

test("a filter wants every word, in any case", () => {
  assert.ok(matches(a, "JNA b.a("));
  assert.ok(!matches(a, "jna zzz"));
  assert.deepEqual(rank([a, b], "bytes", "B.b("), [b]);
});

test("the first measure that tells anything", () => {
  assert.equal(telling([a, b], ["lostBytes", "bytes"]), "lostBytes");
  assert.equal(telling([a], ["lostBytes", "bytes"]), "bytes");
  assert.equal(telling([], ["lostBytes", "bytes"]), "lostBytes");
});

test("nothing in, nothing out; the list given is left as it was", () => {
  const list = [a, b];
  rank(list, "lostBytes");
  assert.deepEqual(list, [a, b]);
  assert.deepEqual(rank(undefined, "bytes"), []);
});
