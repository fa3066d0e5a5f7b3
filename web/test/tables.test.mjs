import assert from "node:assert/strict";
import { test } from "node:test";
import { KINDS } from "../sections/tables.js";

test("what is left to the collector by design does not stand out", () => {
  const collected = KINDS.find((column) => column.name === "collected");
  const strong = (kind, count) => collected.strong({ kind, collected: count });
  assert.equal(strong("buffer.direct", 470), "late");
  assert.ok(!strong("buffer.direct", 0));
  assert.ok(!strong("arena.automatic", 470));
  assert.ok(!strong("finalizer", 470));
});
