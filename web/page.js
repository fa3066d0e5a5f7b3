// The page: a header and sections, for a finished recording or for a process that runs. Read this first.
//
// A section is {id, title, short, absent, seen, make}. `short` is its name in the bar above, if that is not its title. `seen(report)`
// says whether the report has anything for it; if not, it is hidden, and what is absent is named at the end. `make(body)` builds it
// once and returns what brings it up to date with a report.

import { chunkMap } from "./chunkmap.js";
import { collections } from "./collections.js";
import { h, show } from "./dom.js";
import { environment } from "./environment.js";
import { findings } from "./findings.js";
import { flame } from "./flame.js";
import { handles } from "./handles.js";
import { headerView } from "./header.js";
import { kinds } from "./kinds.js";
import { memory } from "./memory.js";
import { pools } from "./pools.js";
import { sites } from "./sites.js";
import { checked, embedded, first, listen } from "./source.js";
import { finalizers, loaders, saved } from "./tables.js";
import { known } from "./text.js";

const SECTIONS = [findings, memory, kinds, sites, flame, handles, pools, chunkMap, collections, finalizers, loaders, saved, environment];

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
      { id: section.id, "aria-labelledby": section.id + "-title" },
      h("h2", { id: section.id + "-title" }, section.title),
      body,
    );
    main.append(element);
    return { ...section, element, body, update: null };
  });
  main.append(absent);

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

  return { header, tools, update, say };
}

/** Figures that do not change. */
async function startStatic(page, element) {
  const report = checked(await embedded(element));
  document.title = (known(report.target?.main) ?? "program") + " · offcut";
  page.say(report.complete ? "complete" : "short");
  show(page.header, headerView(report));
  page.update(report);
}

/** Figures that change each second, until the process ends. While paused, the page stays as it is. */
async function startLive(page) {
  const pause = h("button", { type: "button", "aria-pressed": "false" }, "Pause");
  const save = h("a", { class: "button", href: "api/v1/snapshot", download: "offcut-snapshot.json" }, "Save as JSON");
  page.tools.append(pause, save);
  let report = null; // the newest
  let held = null; // the one that is shown
  let state = "waiting";
  let paused = false;
  let due = false;

  function draw() {
    due = false;
    page.say(paused ? "paused" : state);
    if (!report) {
      return;
    }
    document.title = (known(report.target?.main) ?? "program") + " · offcut, " + (paused ? "paused" : state);
    if (!paused) {
      held = report;
    }
    show(page.header, headerView(held));
    page.update(held);
  }

  function soon() {
    if (!due) {
      due = true;
      requestAnimationFrame(draw);
    }
  }

  pause.addEventListener("click", () => {
    paused = !paused;
    pause.setAttribute("aria-pressed", String(paused));
    pause.textContent = paused ? "Go on" : "Pause";
    soon();
  });
  const changed = (name, next) => {
    state = name;
    report = next ?? report;
    soon();
  };
  changed("waiting", await first());
  draw(); // at once: the page is ready when it shows what there is
  listen(changed, fail);
}

/** Says on the page what keeps it from showing anything more. */
function fail(error) {
  document.getElementById("offcut-page").prepend(h("p", { class: "failure", role: "alert" }, error.message));
}

async function start() {
  const root = document.getElementById("offcut-page");
  const data = document.getElementById("offcut-data");
  const page = build(root);
  try {
    await (data ? startStatic(page, data) : startLive(page));
    root.dataset.ready = "true";
  } catch (error) {
    fail(error);
  }
}

start();
