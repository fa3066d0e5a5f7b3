// The page: a header and sections, for a finished recording or for a process that runs. Read this first.
//
// A section is {id, title, short, absent, seen, make}. `short` is its name in the bar above, if that is not its title. `seen(report)`
// says whether the report has anything for it; if not, it is hidden, and what is absent is named at the end. `make(body)` builds it
// once and returns what brings it up to date with a report.

import { Live } from "./live.js";
import { h, show } from "./library/dom.js";
import { checked, embedded } from "./library/source.js";
import { known } from "./library/text.js";
import { chunkMap } from "./sections/chunkmap.js";
import { collections } from "./sections/collections.js";
import { findings } from "./sections/findings.js";
import { flame } from "./sections/flame.js";
import { holders } from "./sections/holders.js";
import { marks } from "./sections/marks.js";
import { memory } from "./sections/memory.js";
import { sites } from "./sections/sites.js";
import { finalizers, handles, kinds, loaders, pools, saved } from "./sections/tables.js";
import { environment, headerView } from "./sections/target.js";

const SECTIONS = [
  findings,
  marks,
  memory,
  kinds,
  sites,
  holders,
  flame,
  handles,
  pools,
  chunkMap,
  collections,
  finalizers,
  loaders,
  saved,
  environment,
];

const STATES = {
  complete: "recording, complete",
  short: "recording, not complete",
  waiting: "waiting for figures",
  live: "live",
  lost: "connection lost, trying again",
  ended: "ended",
  paused: "paused",
};

function build(root) {
  const header = h("header");
  const tools = h("div", { class: "tools" });
  const nav = h("nav", { "aria-label": "Sections" });
  const state = h("p", { class: "state", role: "status" });
  const main = h("main", { id: "content", tabindex: "-1" });
  const absent = h("p", { class: "hint" });
  const waiting = h("p", { class: "hint", hidden: true });
  root.append(
    h("a", { class: "skip", href: "#content" }, "To the findings"),
    h("div", { class: "head" }, header, tools),
    h("div", { class: "bar-above" }, nav, state),
    main,
  );
  const sections = SECTIONS.map((section) => {
    const body = h("div");
    const element = h(
      "section",
      { id: section.id, "aria-labelledby": section.id + "-title", hidden: true },
      h("h2", { id: section.id + "-title" }, section.title),
      body,
    );
    main.append(element);
    return { ...section, element, body, update: null };
  });
  main.append(absent, waiting);

  function update(report) {
    const missing = [];
    for (const section of sections) {
      const seen = section.seen(report);
      section.element.hidden = !seen;
      if (seen) {
        section.update ??= section.make(section.body);
        section.update(report);
      } else if (section.absent) {
        missing.push(section.absent);
      }
    }
    show(
      nav,
      h(
        "ul",
        null,
        sections
          .filter((section) => !section.element.hidden)
          .map((section) => h("li", { "data-key": section.id }, h("a", { href: "#" + section.id }, section.short ?? section.title))),
      ),
    );
    absent.textContent = missing.length ? "Not seen in this program: " + missing.join(", ") + "." : "";
  }

  /** Where the figures come from and whether they still move; stays in sight. */
  function say(name) {
    if (state.textContent !== STATES[name]) {
      state.className = "state " + name;
      state.textContent = STATES[name]; // once: it is read aloud
    }
  }

  /** Shows a report. */
  function draw(report, title) {
    document.title = (known(report.target?.main) ?? "program") + " · " + title;
    waiting.hidden = true;
    show(header, headerView(report));
    update(report);
    root.dataset.ready = "true";
  }

  /** Says what the reader waits for, where there is no report yet. */
  function wait(sentence) {
    waiting.textContent = sentence;
    waiting.hidden = false;
  }

  return { root, tools, draw, say, wait };
}

/** Figures that do not change. */
async function startStatic(page, element) {
  const report = checked(await embedded(element));
  page.say(report.complete ? "complete" : "short");
  page.draw(report, "offcut");
}

async function start() {
  const root = document.getElementById("offcut-page");
  const data = document.getElementById("offcut-data");
  const page = build(root);
  try {
    await (data ? startStatic(page, data) : new Live(page, fail).start());
  } catch (error) {
    fail(error);
  }

  /** Says on the page what keeps it from showing anything more. */
  function fail(error) {
    root.prepend(h("p", { class: "failure", role: "alert" }, error.message));
  }
}

start();
