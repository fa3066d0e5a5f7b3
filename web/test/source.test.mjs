import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { checked, embedded, listen, patience } from "../library/source.js";

const report = { schema: "offcut.report/2", target: { main: "Größe <b>" } };

test("data as JSON and packed are the same", async () => {
  assert.deepEqual(await embedded({ textContent: "\n" + JSON.stringify(report) }), report);
  assert.deepEqual(await embedded({ textContent: gzipSync(JSON.stringify(report)).toString("base64") + "\n" }), report);
});

test("what is no report of this version is refused with what to do", () => {
  assert.throws(
    () => checked({ schema: "offcut.report/3" }),
    /These data are offcut\.report\/3; this page shows offcut\.report\/2\. Use the offcut that wrote them\./,
  );
  assert.equal(checked({ schema: "offcut.report/1" }).schema, "offcut.report/1", "what older commands wrote");
  assert.throws(() => checked(null), /no report of offcut/);
});

test("ever more patient, up to ten seconds", () => assert.deepEqual([0, 1, 3, 4, 50].map(patience), [1000, 2000, 8000, 10000, 10000]));

test("a stream ends with its last word and not with a report that is complete", () => {
  const opened = [];
  globalThis.EventSource = class {
    listeners = {};
    closed = false;
    constructor() {
      opened.push(this);
    }
    addEventListener(name, listener) {
      this.listeners[name] = listener;
    }
    close() {
      this.closed = true;
    }
  };
  const heard = [];
  listen(
    (state, given) => heard.push([state, given?.complete]),
    (error) => assert.fail(error),
  );
  const [stream] = opened;
  stream.listeners.snapshot({ data: JSON.stringify({ ...report, complete: true }) });
  assert.equal(stream.closed, false);
  stream.listeners.snapshot({ data: JSON.stringify({ ...report, complete: false }) });
  stream.listeners.last({ data: "last" });
  assert.equal(stream.closed, true);
  assert.deepEqual(heard, [
    ["live", true],
    ["live", false],
    ["ended", undefined],
  ]);
});
