// Handles of Offcut's libraries: by type, and where the forgotten ones were opened.

import { h, show } from "./dom.js";
import { stack, table } from "./parts.js";
import { countText } from "./text.js";

export const handles = {
  id: "handles",
  title: "Handles",
  absent: "handles",
  seen: (report) => Boolean(report.handles?.length || report.handleLeaks?.length),
  make: (body) => (report) => show(body, types(report), leaks(report)),
};

const number = (field, name, means, strong) => ({
  name,
  means,
  number: true,
  text: (row) => countText(row[field]),
  strong: (row) => row[field] > 0 && strong,
});

const COLUMNS = [
  { name: "type", text: (row) => row.type },
  number("opened", "opened", "since the start"),
  number("closed", "closed", "by the program"),
  number("forgotten", "forgotten", "not closed; released by the net", "forgotten"),
  number("open", "open", "neither closed nor forgotten"),
];

function types(report) {
  return report.handles?.length
    ? table("Exact counts; opened = closed + forgotten + open", COLUMNS, report.handles, (row) => row.type)
    : null;
}

function leaks(report) {
  const list = report.handleLeaks ?? [];
  return list.length
    ? h(
        "div",
        null,
        h("h3", null, "Where the forgotten ones were opened"),
        list.map((leak) =>
          h(
            "details",
            { open: list.length === 1, "data-key": leak.type + "\n" + leak.frames.join("\n") },
            h(
              "summary",
              null,
              h("b", null, leak.type),
              " " + countText(leak.count) + " recorded" + (leak.level ? " at level " + leak.level : "") + " ",
              h("code", null, leak.frames[0] ?? "no stack was recorded"),
            ),
            stack(leak.frames),
          ),
        ),
      )
    : null;
}
