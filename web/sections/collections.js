// What the garbage collector did, and who forced it to.

import { h, show } from "../library/dom.js";
import { collectionsByCause } from "../library/layers.js";
import { frame, stack, table } from "../library/parts.js";
import { countText, millisText, nounText, ownFrame } from "../library/text.js";

export const collections = {
  id: "collections",
  title: "Collections",
  absent: "collections",
  seen: (report) => Boolean(report.series?.gc?.length || report.forcedCollections?.length),
  make: (body) => (report) => show(body, byCause(report), forced(report)),
};

const COLUMNS = [
  { name: "cause", text: (row) => row.cause },
  { name: "collections", number: true, text: (row) => countText(row.count) },
  { name: "pause in all", number: true, text: (row) => millisText(row.pause) },
  { name: "longest", number: true, text: (row) => (row.isSum ? "≤ " : "") + millisText(row.longest) },
];

function byCause(report) {
  const rows = collectionsByCause(report.series?.gc);
  return rows.length ? table("Collections of the heap by cause", COLUMNS, rows, (row) => row.cause) : null;
}

function forced(report) {
  const list = report.forcedCollections ?? [];
  return list.length
    ? h(
        "div",
        null,
        h("h3", null, "Forced by direct memory"),
        h(
          "p",
          { class: "hint" },
          "Direct memory was at its limit, so the JDK asked for a collection and waited for it. Reuse buffers, or raise -XX:MaxDirectMemorySize.",
        ),
        list.map((each) =>
          h(
            "details",
            { "data-key": each.frames.join("\n") },
            h(
              "summary",
              null,
              h("b", null, nounText(each.count, "time")),
              " ",
              each.frames.length ? frame(ownFrame(each)) : "no stack was recorded",
            ),
            stack(each.frames),
          ),
        ),
      )
    : null;
}
