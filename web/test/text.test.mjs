import assert from "node:assert/strict";
import { test } from "node:test";
import {
  bytesText,
  clockText,
  countText,
  durationText,
  frameParts,
  isForeign,
  isCloseable,
  kindName,
  known,
  millisText,
  nounText,
  ownFrame,
  percentText,
} from "../library/text.js";

const all = (say, pairs) => pairs.forEach(([given, wanted]) => assert.equal(say(given), wanted));

test("bytes have three digits that count", () =>
  all(bytesText, [
    [0, "0 B"],
    [1023, "1023 B"],
    [1024, "1 KiB"],
    [1536, "1.5 KiB"],
    [62.5 * 2 ** 20, "62.5 MiB"],
    [331 * 2 ** 20, "331 MiB"],
    [1023.99 * 2 ** 20, "1 GiB"],
    [2.5 * 2 ** 40, "2.5 TiB"],
    [5000 * 2 ** 40, "5000 TiB"],
    [-158 * 2 ** 20, "−158 MiB"],
  ]));

test("counts are grouped", () =>
  all(countText, [
    [0, "0"],
    [1234567, "1,234,567"],
    [-1500, "−1,500"],
  ]));

test("durations name two units at most", () =>
  all(durationText, [
    [0.44, "0.4 s"],
    [59.99, "59.9 s"],
    [60, "1 min"],
    [130.4, "2 min 10 s"],
    [3600, "1 h"],
    [3780, "1 h 3 min"],
    [93600, "1 d 2 h"],
  ]));

test("the clock has tenths only between seconds", () =>
  all(clockText, [
    [0, "0:00"],
    [42, "0:42"],
    [2.5, "0:02.5"],
    [3723, "1:02:03"],
    [0.96, "0:00"],
  ]));

test("pauses below ten milliseconds have a digit more", () =>
  all(millisText, [
    [2.34, "2.3 ms"],
    [31.6, "32 ms"],
    [1500, "1.5 s"],
  ]));

test("shares of nothing are not said", () => {
  assert.equal(percentText(1, 3), "33.3 %");
  assert.equal(percentText(1, 0), "");
});

test("one is not many", () => {
  assert.equal(nounText(1, "line"), "1 line");
  assert.equal(nounText(1000, "line"), "1,000 lines");
});

test("frames in pieces", () => {
  assert.deepEqual(frameParts("com.acme.Store.load(Store.java:88)"), { in: "com.acme", call: "Store.load", at: "Store.java:88" });
  assert.deepEqual(frameParts("Main.main(Main.java)"), { in: "", call: "Main.main", at: "Main.java" });
  assert.deepEqual(frameParts("com.acme.A$B.lambda$c$0(A.java:3)"), { in: "com.acme", call: "A$B.lambda$c$0", at: "A.java:3" });
  assert.deepEqual(frameParts("com.acme.A.<init>(A.java:3)"), { in: "com.acme", call: "A.<init>", at: "A.java:3" });
  assert.deepEqual(frameParts("a.B$$Lambda.0x000000001911db48.run(B.java)"), { in: "a", call: "B$$Lambda.run", at: "B.java" });
  assert.deepEqual(frameParts("something else"), { in: "", call: "something else", at: "" });
});

test("the frame to look at is the program's own", () => {
  assert.ok(isForeign("java.lang.Thread.run(Thread.java:1)"));
  assert.ok(!isForeign("javassist.Thing.run(Thing.java:1)"));
  assert.equal(ownFrame({ frames: ["java.nio.Bits.reserve(Bits.java:9)", "a.B.c(B.java:1)", "a.D.e(D.java:1)"] }), "a.B.c(B.java:1)");
  assert.equal(ownFrame({ frames: ["java.nio.Bits.reserve(Bits.java:9)"] }), "java.nio.Bits.reserve(Bits.java:9)");
  assert.equal(ownFrame({ frames: [] }), "");
  assert.equal(ownFrame({ frames: ["io.netty.Pool.get(Pool.java:3)", "a.B.c(B.java:1)"], own: 1 }), "a.B.c(B.java:1)");
});

test("what stands for the unknown is not known", () => {
  for (const value of [undefined, null, "", "unknown", -1]) {
    assert.equal(known(value), null);
  }
  assert.equal(known(0), 0);
  assert.equal(known("shop"), "shop");
});

test("a kind that is not known keeps its name", () => {
  assert.equal(kindName("arena.confined"), "confined arenas");
  assert.equal(kindName("gpu.buffer"), "gpu.buffer");
});

test("a kind that is a class has its name, and no bytes", () => {
  assert.equal(kindName("closeable:org.rocksdb.RocksIterator"), "RocksIterator");
  assert.equal(kindName("closeable:Thing"), "Thing");
  assert.equal(kindName("closeable:com.acme.Outer$Inner"), "Outer$Inner");
  assert.equal(isCloseable("closeable:Thing"), true);
  assert.equal(isCloseable("arena.confined"), false);
});
