// The sections that are tables of counts and sizes: kinds of native resources, handles, pools with their owners, finalizers, saved work,
// class loaders.

import { h, show } from "../library/dom.js";
import { bar, stack, table } from "../library/parts.js";
import { bytesText, countText, isCloseable, isLeftToCollector, kindName, known, ownFrame, percentText } from "../library/text.js";

/** A column of counts. `strong`: how a number that is not 0 stands out. */
function counted(field, name, means, strong) {
  return { name, means, number: true, text: (row) => countText(row[field]), strong: (row) => row[field] > 0 && strong };
}

const WITHOUT_BYTES = new Set(["cleaner", "finalizer"]);

/** A column of sizes, likewise. */
function sized(field, name, means, strong) {
  return {
    name,
    means,
    number: true,
    strong: (row) => row[field] > 0 && strong,
    text: (row) => (WITHOUT_BYTES.has(row.kind) || isCloseable(row.kind) || row[field] === undefined ? "–" : bytesText(row[field])),
  };
}

export const kinds = {
  id: "kinds",
  title: "By kind",
  absent: "native resources",
  seen: (report) => Boolean(report.kinds?.length),
  make: (body) => (report) =>
    show(
      body,
      table(
        "Exact counts; opened = closed + collected + lost + open" +
          (report.kinds.some((row) => row.estimated) ? "; native blocks are estimates from samples" : ""),
        KINDS,
        report.kinds,
        (row) => row.kind,
      ),
    ),
};

export const KINDS = [
  { name: "kind", text: (row) => kindName(row.kind) },
  counted("opened", "opened", "since the start"),
  counted("closed", "closed", "by the program"),
  {
    ...counted("collected", "collected", "freed by the garbage collector: late, not lost"),
    strong: (row) => !isLeftToCollector(row) && row.collected > 0 && "late",
  },
  counted("lost", "lost", "never closed, and nothing frees it before the program ends", "lost"),
  counted("open", "open", "not closed, collected or lost so far"),
  sized("bytes", "open bytes", "of those that are open"),
  sized("peakBytes", "peak", "the largest number of bytes that was open at one time"),
  sized("openedBytes", "opened bytes", "of all that were opened"),
  sized("lostBytes", "lost bytes", "of those that are lost", "lost"),
];

export const handles = {
  id: "handles",
  title: "Handles",
  absent: "handles",
  seen: (report) => Boolean(report.handles?.length || report.handleLeaks?.length),
  make: (body) => (report) => show(body, handleTypes(report), handleLeaks(report)),
};

const HANDLES = [
  { name: "type", text: (row) => row.type },
  counted("opened", "opened", "since the start"),
  counted("closed", "closed", "by the program"),
  counted("forgotten", "forgotten", "not closed; released by the safety net", "forgotten"),
  counted("open", "open", "not closed or forgotten so far"),
];

function handleTypes(report) {
  return report.handles?.length
    ? table("Exact counts; opened = closed + forgotten + open", HANDLES, report.handles, (row) => row.type)
    : null;
}

function handleLeaks(report) {
  const list = report.handleLeaks ?? [];
  return list.length
    ? h(
        "div",
        null,
        h("h3", null, "Where forgotten handles were opened"),
        list.map((leak) =>
          h(
            "details",
            { open: list.length === 1, "data-key": leak.type + "\n" + leak.frames.join("\n") },
            h(
              "summary",
              null,
              h("b", null, leak.type),
              " " + countText(leak.count) + " recorded" + (leak.level ? " at level " + leak.level : "") + " ",
              h("code", null, ownFrame(leak) || "no stack was recorded"),
            ),
            stack(leak.frames),
          ),
        ),
      )
    : null;
}

export const pools = {
  id: "pools",
  title: "Pools",
  absent: "pools",
  seen: (report) => Boolean(report.pools?.length || report.bufferPools?.length),
  make: (body) => (report) => show(body, (report.pools ?? []).map(pool), bufferPools(report)),
};

export const BUFFER_POOLS = [
  { name: "allocator", text: (row) => h("code", null, row.type) },
  counted("allocators", "number", "allocators of this class that have chunks"),
  { name: "chunks", number: true, text: (row) => (known(row.chunks) === null ? "–" : countText(row.chunks)) },
  { name: "keep", means: "bytes of the chunks", number: true, text: (row) => bytesText(row.kept) },
  { name: "in use", means: "bytes of the chunks that are in buffers in use", number: true, text: (row) => used(row, bytesText(row.used)) },
  { name: "share", number: true, text: (row) => used(row, percentText(row.used, row.kept)) },
];

function used(row, text) {
  return known(row.used) === null ? "–" : text;
}

function bufferPools(report) {
  return report.bufferPools?.length
    ? table("Allocators of buffers: their chunks are counted by kind, too", BUFFER_POOLS, report.bufferPools, (row) => row.type)
    : null;
}

const OWNERS = [
  { name: "owner", text: (row) => row.owner },
  sized("committed", "committed", "backed by pages"),
  sized("handedOut", "handed out", "in chunks"),
  sized("used", "used", "in blocks"),
];

function pool(one) {
  const limit = one.limit > 0 ? one.limit : null;
  const facts = [
    ["limit", limit],
    ["reserved", one.reserved],
    ["committed", one.committed],
    ["handed out", one.handedOut],
    ["used", one.used],
  ];
  return h(
    "div",
    { "data-key": one.pool },
    h("h3", null, one.pool),
    h(
      "dl",
      { class: "facts" },
      facts.map(([name, value]) =>
        h("div", null, h("dt", null, name), h("dd", null, value === null ? "none" : value === undefined ? "–" : bytesText(value))),
      ),
    ),
    limit
      ? h(
          "p",
          { class: "gauge" },
          bar(one.committed / limit, one.committed > 0.9 * limit ? "fill lost" : "fill"),
          percentText(one.committed, limit) + " of the limit is committed",
        )
      : null,
    one.owners?.length ? table("Owners of " + one.pool, OWNERS, one.owners, (row) => row.owner) : null,
  );
}

export const finalizers = {
  id: "finalizers",
  title: "Finalizers",
  absent: "finalizers",
  seen: (report) => Boolean(report.finalizers?.length),
  make: (body) => (report) =>
    show(
      body,
      h(
        "p",
        { class: "hint" },
        "Classes that override finalize(). Their objects survive at least one more collection, even if they were closed.",
      ),
      table("By class", FINALIZERS, report.finalizers, (row) => row.type),
    ),
};

const FINALIZERS = [
  { name: "class", text: (row) => h("code", null, row.type) },
  counted("registered", "made", "objects registered for finalization"),
  counted("run", "finalized", "finalize() has run"),
  {
    name: "waiting",
    means: "still in use, or waiting for the finalizer thread",
    number: true,
    text: (row) => countText(row.registered - row.run),
  },
];

export const saved = {
  id: "saved",
  title: "Saved work",
  absent: "saved work",
  seen: (report) => Boolean(report.saved?.some((row) => row.done > 0 || row.saved > 0)),
  make: (body) => (report) =>
    show(
      body,
      table("Work that the agent saved the program", SAVED, report.saved, (row) => row.feature),
    ),
};

const SAVED = [
  { name: "feature", text: (row) => row.feature },
  { name: "saved", number: true, text: (row) => countText(row.saved) + " " + row.unit },
  { name: "still done", number: true, text: (row) => countText(row.done) },
  { name: "share", number: true, text: (row) => percentText(row.saved, row.saved + row.done) },
  { name: "", text: (row) => bar(row.saved / Math.max(1, row.saved + row.done)) },
];

export const loaders = {
  id: "loaders",
  title: "Class loaders",
  absent: "class loaders",
  seen: (report) => Boolean(report.loaders?.loaders),
  make: (body) => (report) => {
    const { loaders: count, committed, used } = report.loaders;
    show(
      body,
      h(
        "dl",
        { class: "facts" },
        [
          ["class loaders", countText(count)],
          ["metaspace committed", bytesText(committed)],
          ["used", bytesText(used)],
          ["committed, not used", bytesText(committed - used) + " (" + percentText(committed - used, committed) + ")"],
        ].map(([name, value]) => h("div", { "data-key": name }, h("dt", null, name), h("dd", null, value))),
      ),
    );
  },
};
