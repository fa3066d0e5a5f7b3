import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { grouped, lateOf, placeOf, RUNS, verdictOf } from "../sections/findings.js";
import { severity } from "../library/text.js";

test("a severity stands where its first finding does", () => {
  const given = ["mapped", "late", "lost", "cost", "late", "note"].map((name, index) => ({ severity: name, index }));
  assert.deepEqual(
    grouped(given).map(([name, all]) => name + all.map((one) => one.index).join()),
    ["mapped0", "late1,4", "lost2", "cost3", "note5"],
  );
  assert.deepEqual(grouped(undefined), []);
});

test("each severity of the contract has words", () => {
  const schema = JSON.parse(readFileSync(new URL("../../spec/report.schema.json", import.meta.url)));
  schema.properties.findings.items.properties.severity.enum.forEach((name) => assert.equal(name === "note", severity(name) === severity("note")));
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
  assert.equal(verdictOf({ findings: [{ severity: "note", leftOut: [{ severity: "lost" }] }], target: { level: "full" }, complete: true }), null);
  assert.equal(verdictOf({ findings: [{ severity: "note" }], target: { level: "full" }, complete: true }).good, true);
  const limits = ["The program did not start."];
  assert.equal(verdictOf({ target: { level: "full" }, complete: true, limits }).good, false);
  assert.match(verdictOf({ target: { level: "full" }, complete: true, limits }).text, /The program did not start\./);
  // Of a program that runs, that is no limit, but any other one is.
  assert.equal(verdictOf({ target: { level: "full" }, complete: false, limits: [RUNS] }).good, true);
  ["The program was killed.", "The program still runs, but has not published anything for 300 s."].forEach((limit) => {
    assert.equal(verdictOf({ target: { level: "full" }, complete: false, limits: [limit] }).good, false);
    assert.equal(verdictOf({ target: { level: "full" }, complete: false, limits: [RUNS, limit] }).good, false);
  });
  const tables = new URL("../../java/diagnosis/command/src/main/java/dev/offcut/command/read/Tables.java", import.meta.url);
  assert.ok(readFileSync(tables, "utf8").includes(`"${RUNS}"`), "the sentence of the command");
  const some = { target: { level: "full" }, complete: true, limits, watched: ["arenas"], unwatched: ["malloc memory"] };
  assert.match(verdictOf(some).text, /^No lost or forgotten resource was seen among .*: arenas\. Not tracked: malloc memory\. The program/);
  ["off", "none"].forEach((level) => assert.equal(verdictOf({ target: { level }, complete: true }).good, false));
});

test("what is left to the collector by design is not late", () => {
  const kinds = ["arena.automatic", "finalizer", "buffer.direct", "jna"].map((kind, index) => ({ kind, collected: 10 ** index }));
  assert.equal(lateOf(kinds), 1100);
  const closeables = [{ freedBy: "collector" }, { freedBy: "cleaner" }].map((rule, index) => ({
    kind: "closeable:com.acme.Thing",
    collected: 10 ** index,
    ...rule,
  }));
  assert.equal(lateOf(closeables), 10);
});
