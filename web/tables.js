// The sections that are one table: finalizers, saved work, class loaders.

import { h, show } from "./dom.js";
import { bar, table } from "./parts.js";
import { bytesText, countText, percentText } from "./text.js";

const number = (field, name, means) => ({ name, means, number: true, text: (row) => countText(row[field]) });

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
        "Classes that override finalize(): their objects outlive at least two collections, even when they were closed.",
      ),
      table("By class", FINALIZERS, report.finalizers, (row) => row.type),
    ),
};

const FINALIZERS = [
  { name: "class", text: (row) => h("code", null, row.type) },
  number("registered", "made", "objects registered for finalization"),
  number("run", "finalized", "finalize() has run"),
  {
    name: "waiting",
    means: "alive, or waiting for the finalizer thread",
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
