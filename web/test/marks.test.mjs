import assert from "node:assert/strict";
import { test } from "node:test";
import { RUNS } from "../sections/findings.js";
import { limits } from "../sections/marks.js";

test("the marks have the limits of the report", () => {
  const report = { target: { level: "full" }, unwatched: ["arenas"], limits: ["a.A is not counted: why.", RUNS] };
  assert.equal(
    limits(report),
    "An unreachable resource counts as held until a garbage collection finds it. Not tracked: arenas. a.A is not counted: why.",
  );
});
