import assert from "node:assert/strict";
import { test } from "node:test";
import { BUFFER_POOLS, KINDS, pools } from "../sections/tables.js";

test("what is left to the collector by design does not stand out", () => {
  const collected = KINDS.find((column) => column.name === "collected");
  const strong = (kind, count) => collected.strong({ kind, collected: count });
  assert.equal(strong("buffer.direct", 470), "late");
  assert.ok(!strong("buffer.direct", 0));
  assert.ok(!strong("arena.automatic", 470));
  assert.ok(!strong("finalizer", 470));
});

test("of an allocator whose buffers are not counted no use is shown", () => {
  const MIB = 2 ** 20;
  const row = { type: "io.netty.buffer.PooledByteBufAllocator", allocators: 1, chunks: 16, kept: 64 * MIB, used: 4 * MIB };
  const texts = (one) => BUFFER_POOLS.slice(1).map((column) => column.text(one));
  assert.deepEqual(texts(row), ["1", "16", "64 MiB", "4 MiB", "6.3 %"]);
  assert.deepEqual(texts({ ...row, chunks: null, used: null }), ["1", "–", "64 MiB", "–", "–"]);
  assert.ok(pools.seen({ pools: [], bufferPools: [row] }));
  assert.ok(!pools.seen({ pools: [], bufferPools: [] }));
});
