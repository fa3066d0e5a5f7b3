// Where and how it ran: what a second person needs to get the same picture.

import { levelText } from "./header.js";
import { h, show } from "./dom.js";
import { prose } from "./parts.js";
import { durationText, known } from "./text.js";

export const environment = {
  id: "environment",
  title: "Environment",
  seen: () => true,
  make: (body) => (report) => show(body, facts(report), notes(report)),
};

function facts(report) {
  const target = report.target ?? {};
  const rows = [
    ["command", target.command?.length ? h("code", { class: "command" }, target.command.map(quoted).join(" ")) : null],
    ["main", known(target.main)],
    ["process", known(target.pid)],
    ["JDK", known(target.jdk)],
    ["started", known(target.started)],
    ["ran", target.seconds > 0 ? durationText(target.seconds) : null],
    ["level", target.level ? target.level + ": " + levelText(target) : null],
    ["recording", report.complete ? "complete" : "not complete: cut short, or the program still runs"],
    ["offcut", known(report.tool)],
  ];
  return h(
    "table",
    { class: "pairs" },
    h(
      "tbody",
      null,
      rows
        .filter(([, value]) => value !== null)
        .map(([name, value]) => h("tr", { "data-key": name }, h("th", { scope: "row" }, name), h("td", null, value))),
    ),
  );
}

/** A word as one would type it into a shell. */
function quoted(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : "'" + word.replaceAll("'", "'\\''") + "'";
}

function notes(report) {
  return report.notes?.length
    ? h(
        "div",
        null,
        h("h3", null, "Notes"),
        h(
          "ul",
          null,
          report.notes.map((note) => h("li", null, prose(note))),
        ),
      )
    : null;
}
