import assert from "node:assert/strict";
import { test } from "node:test";
import { byKind, holders, uncounted } from "../sections/holders.js";

test("the kind and the way that hold most come first", () => {
  const way = (kind, count, by) => ({ kind, count, by });
  const rows = byKind([way("buffer.direct", 30, "a"), way("closeable:shop.Ticket", 100, "b"), way("closeable:shop.Ticket", 900, "c")]);
  assert.deepEqual(
    rows.map(([kind, count, ways]) => [kind, count, ways.map(({ by }) => by)]),
    [
      ["closeable:shop.Ticket", 1000, ["c", "b"]],
      ["buffer.direct", 30, ["a"]],
    ],
  );
});

test("nothing is shown if nobody asked", () => {
  assert.equal(holders.seen({ holders: null }), false);
  assert.equal(holders.seen({}), false);
  assert.equal(holders.seen({ holders: { problem: "no", held: [] } }), true);
});

test("what nobody counts is named: nobody looked for it", () => {
  const one = (name, state) => ({ class: name, state });
  const watched = ["arenas", "objects of RocksDB that the program must close"];
  assert.deepEqual(uncounted({ watched: ["arenas"], watchedClasses: [] }), ["objects of classes that rules name"]);
  assert.deepEqual(uncounted({ watched, watchedClasses: [one("a.A", "counted"), one("a.B", "not loaded")] }), []);
  assert.deepEqual(
    uncounted({ watched, watchedClasses: ["A", "B", "C", "D"].map((name) => one(name, "not understood")) }),
    ["A", "B", "C", "1 more of rules"],
  );
});
