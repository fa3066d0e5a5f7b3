// Every kind of native resource, counted.

import { show } from "./dom.js";
import { table } from "./parts.js";
import { bytesText, countText, isLeftToCollector, kindName } from "./text.js";

export const kinds = {
  id: "kinds",
  title: "By kind",
  absent: "native resources",
  seen: (report) => Boolean(report.kinds?.length),
  make: (body) => (report) =>
    show(
      body,
      table("Exact counts; opened = closed + collected + lost + open", COLUMNS, report.kinds, (row) => row.kind),
    ),
};

const WITHOUT_BYTES = new Set(["cleaner", "finalizer"]);

function count(field, name, means, strong) {
  return { name, means, number: true, text: (row) => countText(row[field]), strong: (row) => strong && row[field] > 0 && strong };
}

function bytes(field, name, means, strong) {
  return {
    name,
    means,
    number: true,
    strong: (row) => strong && row[field] > 0 && strong,
    text: (row) => (WITHOUT_BYTES.has(row.kind) || row[field] === undefined ? "–" : bytesText(row[field])),
  };
}

export const COLUMNS = [
  { name: "kind", text: (row) => kindName(row.kind) },
  count("opened", "opened", "since the start"),
  count("closed", "closed", "by the program"),
  {
    ...count("collected", "collected", "freed by the garbage collector: late, not lost"),
    strong: (row) => !isLeftToCollector(row.kind) && row.collected > 0 && "late",
  },
  count("lost", "lost", "nobody can free it any more", "lost"),
  count("open", "open", "neither closed nor collected nor lost"),
  bytes("bytes", "open bytes", "of those that are open"),
  bytes("peakBytes", "peak", "the most that was open at once"),
  bytes("openedBytes", "opened bytes", "of all that were opened"),
  bytes("lostBytes", "lost bytes", "nobody can free them any more", "lost"),
];
