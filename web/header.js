// The head of the page: which process this is, and at what level it was watched.

import { h } from "./dom.js";
import { countText, durationText, isOver, known } from "./text.js";

const LEVELS = {
  none: "there was no agent",
  off: "nothing is tracked",
  count: "exact counts, no stacks",
  sample: "exact counts, the stack of one opening in ",
  full: "exact counts, every stack",
};

export function headerView(report) {
  const target = report.target ?? {};
  const facts = [
    ["process", known(target.pid)],
    ["JDK", known(target.jdk)],
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

export function levelText(target) {
  const text = LEVELS[target.level] ?? "";
  return target.level === "sample" ? text + countText(target.sampleEvery) : text;
}
