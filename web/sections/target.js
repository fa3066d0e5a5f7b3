// Which process this is: the head of the page, and the section that a second person needs to get the same picture.

import { h, show } from "../library/dom.js";
import { prose } from "../library/parts.js";
import { countText, durationText, isOver, known } from "../library/text.js";

const LEVELS = {
  none: "the agent was not in the program",
  off: "nothing is tracked",
  count: "exact counts, no stacks",
  sample: "exact counts, and the stack of one opening in ",
  full: "exact counts, and every stack",
};

/** What runs the program: [name, version]. */
function runtimeOf(target) {
  return target.jdk?.startsWith("go") ? ["Go", known(target.jdk.slice(2))] : ["JDK", known(target.jdk)];
}

/** The head of the page. */
export function headerView(report) {
  const target = report.target ?? {};
  const facts = [
    ["process", known(target.pid)],
    runtimeOf(target),
    [
      "level",
      target.level
        ? h(
            "span",
            { title: levelText(target) },
            target.level + (target.level === "sample" ? " 1 in " + countText(target.sampleEvery) : ""),
          )
        : null,
    ],
    [isOver(report) ? "ran" : "runs for", target.seconds > 0 ? durationText(target.seconds) : null],
    ["started", target.started ? target.started.replace("T", " ").replace(/(\.\d+)?Z$/, " UTC") : null],
  ];
  return [
    h("h1", null, known(target.main) ?? "a program"),
    h(
      "dl",
      { class: "facts" },
      facts
        .filter(([, value]) => value !== null)
        .map(([name, value]) => h("div", { "data-key": name }, h("dt", null, name), h("dd", null, value))),
    ),
  ];
}

function levelText(target) {
  const text = LEVELS[target.level] ?? "";
  return target.level === "sample" ? text + countText(target.sampleEvery) : text;
}

export const environment = {
  id: "environment",
  title: "Environment",
  seen: () => true,
  make: (body) => (report) => show(body, environmentFacts(report), notes(report)),
};

function environmentFacts(report) {
  const target = report.target ?? {};
  const rows = [
    ["command", target.command?.length ? h("code", { class: "command" }, target.command.map(quoted).join(" ")) : null],
    ["main", known(target.main)],
    ["process", known(target.pid)],
    runtimeOf(target),
    ["started", known(target.started)],
    ["ran", target.seconds > 0 ? durationText(target.seconds) : null],
    ["level", target.level ? target.level + ": " + levelText(target) : null],
    ["recording", report.complete ? "complete" : "not complete: it was cut off, or the program still runs"],
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
