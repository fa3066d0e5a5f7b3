// What holds the resources that are open: by kind the ways in which they are held, those that hold most first. Only if `--holders` asked.

import { h, show } from "../library/dom.js";
import { table } from "../library/parts.js";
import { countText, kindName } from "../library/text.js";

/** Rows of a kind that are shown at once. */
const FIRST = 10;

const MOST_CLASSES = 3;

export const holders = {
  id: "holders",
  title: "What holds open resources",
  short: "Holders",
  seen: (report) => Boolean(report.holders),
  make: (body) => (report) => show(body, report.holders.problem ? h("p", null, report.holders.problem) : found(report)),
};

/** What nobody counts by a rule, so that a dump does not show which objects are open: as the text has it. */
export function uncounted({ watched = [], watchedClasses = [] }) {
  if (!watched.some((one) => one.endsWith(" that the program must close"))) {
    return ["objects of classes that rules name"];
  }
  const classes = watchedClasses.filter((one) => one.state !== "counted" && one.state !== "not loaded").map((one) => one.class);
  const most = classes.slice(0, MOST_CLASSES);
  const more = classes.length - most.length;
  return more > 0 ? [...most, countText(more) + " more of rules"] : most;
}

/** The kinds that hold most first: [[kind, how many are open, ways]]. */
export function byKind(held) {
  const kinds = new Map();
  for (const way of held) {
    kinds.set(way.kind, [...(kinds.get(way.kind) ?? []), way]);
  }
  return [...kinds]
    .map(([kind, ways]) => [kind, ways.reduce((total, way) => total + way.count, 0), [...ways].sort((one, other) => other.count - one.count)])
    .sort((one, other) => other[1] - one[1]);
}

const WAYS = [
  { name: "held by", text: (way) => way.by },
  { name: "open", number: true, text: (way) => countText(way.count) },
];

function found(report) {
  const { held } = report.holders;
  const unseen = uncounted(report);
  return [
    h(
      "p",
      { class: "hint", "data-key": "hint" },
      held.length ? "" : "None was found. ",
      "Looked for were direct buffers, confined and shared arenas, and objects that the agent counts by --rules, --watch or" +
        " --watch-package. Each object is at its shortest path from a thread, a static field or native code; it may be held in other ways, too." +
        (unseen.length ? " Nobody counted " + unseen.join(", ") + ", so the command did not look for these." : ""),
    ),
    byKind(held).map(([kind, count, ways]) =>
      h(
        "div",
        { "data-key": kind },
        table(kindName(kind) + ": " + countText(count) + " open", WAYS, ways.slice(0, FIRST), (way) => way.by),
        ways.length > FIRST
          ? h(
              "details",
              null,
              h("summary", null, countText(ways.length - FIRST) + " more"),
              table("more of " + kindName(kind), WAYS, ways.slice(FIRST), (way) => way.by),
            )
          : null,
      ),
    ),
  ];
}
