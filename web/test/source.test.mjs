import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { checked, embedded, patience } from "../source.js";

const report = { schema: "offcut.report/1", target: { main: "Größe <b>" } };

test("data as JSON and packed are the same", async () => {
  assert.deepEqual(await embedded({ textContent: "\n" + JSON.stringify(report) }), report);
  assert.deepEqual(await embedded({ textContent: gzipSync(JSON.stringify(report)).toString("base64") + "\n" }), report);
});

test("what is no report of this version is refused with what to do", () => {
  assert.throws(
    () => checked({ schema: "offcut.report/2" }),
    /These data are offcut\.report\/2; this page shows offcut\.report\/1\. Use the offcut that wrote them\./,
  );
  assert.throws(() => checked(null), /no report of offcut/);
});

test("ever more patient, up to ten seconds", () => assert.deepEqual([0, 1, 3, 4, 50].map(patience), [1000, 2000, 8000, 10000, 10000]));
