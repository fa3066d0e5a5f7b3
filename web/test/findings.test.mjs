import assert from "node:assert/strict";
import { test } from "node:test";
import { placeOf, lateOf, ranked, verdictOf } from "../sections/findings.js";

test("lost, then forgotten, then late, then costs", () => {
  const given = ["note", "late", "lost", "cost", "forgotten", "late"].map((severity, index) => ({ severity, index }));
  assert.deepEqual(
    ranked(given).map((one) => one.severity + one.index),
    ["lost2", "forgotten4", "late1", "late5", "cost3", "note0"],
  );
  assert.deepEqual(ranked(undefined), []);
});

test("a finding's stack is its own, or its site's, or none", () => {
  const report = { sites: [{ frames: ["a"] }, { frames: ["b"] }] };
  assert.deepEqual(placeOf({ site: 1 }, report), { frames: ["b"] });
  assert.deepEqual(placeOf({ site: 1, frames: ["own"] }, report).frames, ["own"]);
  assert.deepEqual(placeOf({ site: null }, report), { frames: [] });
  assert.deepEqual(placeOf({ site: 9 }, {}), { frames: [] });
});

test("good news only if somebody looked", () => {
  assert.equal(verdictOf({ findings: [{ severity: "late" }] }), null);
  assert.equal(verdictOf({ findings: [{ severity: "note" }], target: { level: "full" }, complete: true }).good, true);
  const limits = ["The program did not start."];
  assert.equal(verdictOf({ target: { level: "full" }, complete: true, limits }).good, false);
  assert.match(verdictOf({ target: { level: "full" }, complete: true, limits }).text, /The program did not start\./);
  // Of a program that runs, that is one.
  assert.equal(verdictOf({ target: { level: "full" }, complete: false, limits: ["The program still runs."] }).good, true);
  ["off", "none"].forEach((level) => assert.equal(verdictOf({ target: { level }, complete: true }).good, false));
});

test("what is left to the collector by design is not late", () => {
  const kinds = ["arena.automatic", "finalizer", "buffer.direct", "jna"].map((kind, index) => ({ kind, collected: 10 ** index }));
  assert.equal(lateOf(kinds), 1100);
});
