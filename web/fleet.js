// The page of a fleet: which lines lose most over all processes, what is new, which version and host. Data: offcut.fleet-report/1.

import { groupsOf, matchesText, momentText, pathOf, pointsOf, reachOf, sorted } from "./library/fleetrows.js";
import { h, show } from "./library/dom.js";
import { badge, frameAbove } from "./library/parts.js";
import { embedded } from "./library/source.js";
import { bytesText, countText, durationText, isCloseable, kindName, nounText } from "./library/text.js";

const SCHEMA = "offcut.fleet-report/1";
const FIRST = 15;
const FIRST_HOSTS = 24;

/** Patterns of lines tell more versions apart than colours alone; see page.css. */
const LINES = 6;

const CURVE = { width: 600, height: 160 };
const SMALL = { width: 160, height: 40 };

// ---- Columns: {name, means, value: row → what it is sorted by, text: row → what is shown, number}

const text = (name, field, means) => ({ name, means, value: (row) => row[field], text: (row) => row[field] ?? "" });
const count = (name, field, mark, means) => ({
  name,
  means,
  number: true,
  value: (row) => row[field],
  text: (row) => (row[field] === null ? "" : countText(row[field])),
  mark: (row) => (row[field] > 0 ? mark : null),
});
const bytes = (name, field, mark, means) => ({
  ...count(name, field, mark, means),
  text: (row) => (row[field] === null ? "" : bytesText(row[field])),
});
const moment = (name, field) => ({ name, value: (row) => row[field], text: (row) => momentText(row[field]) });

/** An estimate with its margin. */
const about = (column, margin, shown) => ({
  ...column,
  text: (row) => [column.text(row), row[margin] ? h("span", { class: "below" }, "± " + shown(row[margin])) : null],
});

const line = {
  name: "line",
  value: (row) => row.line,
  text: (row) => (row.line ? frameAbove(row.line, h("span", { class: "kind" }, thing(row))) : thing(row)),
};
const service = text("service", "service");
const versions = {
  name: "versions",
  means: "the first and the last version that it was seen in",
  value: (row) => row.firstVersion,
  text: (row) =>
    row.lastVersion && row.lastVersion !== row.firstVersion ? row.firstVersion + " to " + row.lastVersion : (row.firstVersion ?? ""),
};

function thing(row) {
  return row.what === "kind" || row.what === undefined ? kindName(row.name) : row.name;
}

/** Bytes of closeables are not known; a zero stands for that. */
const knownBytes = (column, field) => ({
  ...column,
  text: (row) => (isCloseable(row.name ?? "") && !row[field] ? "" : column.text(row)),
});

const lostBytes = knownBytes(bytes("lost bytes", "lostBytes", "lost", "bytes that nothing frees before their programs end"), "lostBytes");
const lost = count("lost", "lost", "lost", "never closed, and nothing frees them before their programs end");
const forgotten = count("forgotten", "forgotten", "forgotten", "handles that the safety net released");
const collected = count("freed late", "collected", "late", "left to the garbage collector");

/** The sections, in the order of the page. `fields` are what the filter looks at. */
const SECTIONS = [
  {
    id: "limits",
    title: () => "Limits of the figures",
    short: "Limits",
    hint: "Because of this something may be lost that no figure has. This table has all services, whatever service is chosen above.",
    fields: ["sentence"],
    none: () => "All processes say that they saw all that they track.",
    columns: [
      text("sentence", "sentence"),
      count("processes", "processes"),
      {
        name: "service",
        value: (row) => row.service,
        text: (row) => (row.services > 1 ? row.service + " and " + (row.services - 1) + " more" : row.service),
      },
    ],
  },
  {
    id: "fresh",
    title: ({ since }) => "New since " + since,
    short: "New",
    fields: ["line", "name", "service"],
    none: ({ since }) => "No line loses anything that did not before " + since + ".",
    columns: [
      line,
      service,
      lostBytes,
      lost,
      forgotten,
      count("processes", "processes"),
      text("first in version", "firstVersion"),
      moment("first seen", "firstMs"),
    ],
  },
  {
    id: "lines",
    title: () => "Lines that lose most",
    short: "Lines",
    hint: "Estimates with their margins: a margin is right 95 times in 100. The counts by kind below are exact.",
    fields: ["line", "name", "service"],
    none: () => "No process says which line opened what.",
    columns: [
      line,
      service,
      about(lostBytes, "lostBytesMargin", bytesText),
      about(lost, "lostMargin", countText),
      forgotten,
      collected,
      count("open", "open"),
      count("processes", "processes"),
      count("hosts", "hosts"),
      versions,
    ],
  },
  {
    id: "versions",
    title: () => "By version, over time",
    short: "Versions",
    fields: ["service", "version"],
    none: () => "No process has noted figures over time.",
    view: versionCurves,
  },
  {
    id: "services",
    title: () => "Services",
    fields: ["service", "version"],
    none: () => "The fleet is empty.",
    columns: [
      service,
      text("version", "version"),
      count("processes", "processes"),
      count("hosts", "hosts"),
      {
        name: "ran",
        means: "all processes together",
        number: true,
        value: (row) => row.hours,
        text: (row) => durationText(Math.round(row.hours * 3600)),
      },
      count("opened", "opened"),
      collected,
      lostBytes,
      lost,
      forgotten,
    ],
  },
  {
    id: "kinds",
    title: () => "Kinds and types",
    short: "Kinds",
    hint: "Exact, except for native blocks. This table has all services, whatever service is chosen above.",
    fields: ["name"],
    none: () => "No process has counted anything.",
    columns: [
      { name: "kind", value: thing, text: thing },
      count("opened", "opened"),
      count("closed", "closed"),
      collected,
      lost,
      forgotten,
      count("open", "open"),
      knownBytes(bytes("opened bytes", "openedBytes"), "openedBytes"),
      lostBytes,
    ],
  },
  {
    id: "hosts",
    title: () => "Hosts",
    fields: ["host"],
    none: () => "There are no hosts.",
    view: hostCurves,
    hint: "Resident memory of a host's processes over time. All curves have the same scale.",
  },
  {
    id: "growth",
    title: () => "What grows fastest",
    short: "Growth",
    hint: "From the first window of a process to its last.",
    fields: ["service", "version", "host", "name"],
    none: () => "Nothing grew in a process that ran for a minute.",
    columns: [
      { name: "what", value: thing, text: thing },
      service,
      text("version", "version"),
      text("host", "host"),
      bytes("from", "firstBytes"),
      bytes("to", "lastBytes"),
      { name: "in", number: true, value: (row) => row.hours, text: (row) => durationText(Math.round(row.hours * 3600)) },
      { ...bytes("per hour", "bytesPerHour"), means: "on average" },
    ],
  },
  {
    id: "findings",
    title: () => "Findings of the processes' reports",
    short: "Findings",
    fields: ["title", "service", "line", "name"],
    none: () => "No report has a finding.",
    columns: [
      {
        name: "finding",
        value: (row) => row.title,
        text: (row) => [badge(row.severity.toLowerCase()), " ", row.title, row.line ? h("span", { class: "below" }, row.line) : null],
      },
      service,
      text("first in version", "firstVersion"),
      count("processes", "processes"),
      count("hosts", "hosts"),
      bytes("bytes", "bytes"),
    ],
  },
  {
    id: "processes",
    title: () => "Processes that lost most",
    short: "Processes",
    fields: ["main", "host", "service", "version", "name"],
    none: () => "The fleet is empty.",
    columns: [
      {
        name: "process",
        value: (row) => row.main,
        text: (row) => [
          row.page ? h("a", { href: row.page }, row.main || row.name) : row.main || row.name,
          h("span", { class: "below" }, "process " + row.pid + " on " + row.host + (row.page ? "" : "; " + row.name)),
        ],
      },
      service,
      text("version", "version"),
      moment("started", "startMs"),
      {
        name: "ran",
        number: true,
        value: (row) => row.untilMs - row.startMs,
        text: (row) => durationText(Math.round((row.untilMs - row.startMs) / 1000)),
      },
      { name: "ended", value: (row) => row.ending, text: (row) => row.ending || (row.complete ? "" : "not seen") },
      lostBytes,
      lost,
      forgotten,
    ],
  },
];

// ---- A table that a reader sorts

/** One section of the page: its rows, and how the reader wants to see them. */
class Section {
  #kind;
  #data;
  #rows;
  #element = h("div");
  #order = null; // the column's place, once the reader has chosen one
  #reversed = false;
  #everything = false;
  #choice = { service: "", filter: "" };

  constructor(kind, data) {
    this.#kind = kind;
    this.#data = data;
    this.#rows = data[kind.id] ?? [];
    this.#element.addEventListener("click", ({ target }) => {
      const column = target.closest("button[data-column]");
      if (column) {
        this.#sort(Number(column.dataset.column));
      } else if (target.closest("button.quiet")) {
        this.#everything = !this.#everything;
      } else {
        return;
      }
      this.draw();
    });
  }

  view() {
    const { id, title, hint } = this.#kind;
    return h(
      "section",
      { id, "aria-labelledby": id + "-title" },
      h("h2", { id: id + "-title" }, title(this.#data)),
      hint ? h("p", { class: "hint" }, hint) : null,
      this.#element,
    );
  }

  /** Shows what the reader asked for at the top of the page. */
  choose(choice) {
    this.#choice = choice;
    this.draw();
  }

  #sort(place) {
    this.#reversed = this.#order === place && !this.#reversed;
    this.#order = place;
  }

  #chosen() {
    const { service: wanted, filter } = this.#choice;
    return this.#rows.filter(
      (row) =>
        (!wanted || row.service === undefined || row.services !== undefined || row.service === wanted) &&
        matchesText(row, this.#kind.fields, filter),
    );
  }

  draw() {
    const { none, view, columns } = this.#kind;
    const rows = this.#chosen();
    if (!rows.length) {
      show(this.#element, h("p", null, this.#rows.length ? "Nothing here matches the filter." : none(this.#data)));
      return;
    }
    show(this.#element, view ? view(rows, this.#data, this.#everything) : this.#table(columns, rows));
  }

  #table(columns, rows) {
    const ordered = this.#order === null ? rows : sorted(rows, columns[this.#order].value, this.#reversed);
    const shown = this.#everything ? ordered : ordered.slice(0, FIRST);
    return [
      h(
        "div",
        { class: "scroll", role: "region", "aria-labelledby": this.#kind.id + "-title", tabindex: "0" },
        h(
          "table",
          { class: "fleet" },
          h(
            "thead",
            null,
            h(
              "tr",
              null,
              columns.map((column, place) => this.#head(column, place)),
            ),
          ),
          h(
            "tbody",
            null,
            shown.map((row) =>
              h(
                "tr",
                null,
                columns.map((column, place) => cell(column, row, place)),
              ),
            ),
          ),
        ),
      ),
      moreButton(rows.length, FIRST, this.#everything),
    ];
  }

  #head({ name, means, number }, place) {
    const order = this.#order !== place ? null : Boolean(number) !== this.#reversed ? "descending" : "ascending";
    return h(
      "th",
      { scope: "col", class: number ? "number" : null, title: means, "aria-sort": order },
      h("button", { type: "button", class: "sort", "data-column": place }, name),
    );
  }
}

function cell({ text: shown, number, mark }, row, place) {
  const strong = mark?.(row);
  const attributes = { class: [number && "number", strong && "strong-" + strong].filter(Boolean).join(" ") || null };
  return place === 0 ? h("th", { ...attributes, scope: "row" }, shown(row)) : h("td", attributes, shown(row));
}

function moreButton(all, first, everything) {
  return all > first ? h("button", { type: "button", class: "quiet" }, everything ? "Show the first " + first : "Show all " + all) : null;
}

// ---- Curves

/** Of each service a picture of what was lost, and of what was held: a line for each version. */
function versionCurves(rows, { bucketMs }) {
  return groupsOf(rows, "service").map(([name, own]) => {
    const byVersion = groupsOf(own, "version");
    return h(
      "figure",
      { class: "versions", "data-key": name },
      h("figcaption", null, h("b", null, name), " ", h("span", { class: "soft" }, "one point for " + durationText(bucketMs / 1000))),
      h(
        "div",
        { class: "pair" },
        curves("lost until then", byVersion, (group) => pointsOf(group, "lostBytes", true)),
        curves("held, lost bytes included", byVersion, (group) => pointsOf(group, "heldBytes")),
      ),
      h(
        "ul",
        { class: "legend" },
        byVersion.map(([version, group], index) => {
          const [lostInAll] = pointsOf(group, "lostBytes", true).slice(-1);
          return h(
            "li",
            null,
            h(
              "svg",
              { class: "line-key", viewBox: "0 0 22 10", "aria-hidden": "true" },
              h("path", { class: lineClass(index), d: "M0 5L22 5" }),
            ),
            version || "no version",
            h("span", { class: "soft" }, ": " + bytesText(lostInAll?.y ?? 0) + " lost"),
          );
        }),
      ),
    );
  });
}

function lineClass(index) {
  return "line line" + (index % LINES);
}

function curves(title, groups, points) {
  const all = groups.map(([name, group]) => ({ name, points: points(group) }));
  const reach = reachOf(all);
  if (reach.to < reach.from) {
    return h("div", { class: "axes" }, h("p", { class: "soft" }, title + ": not known"));
  }
  return h(
    "div",
    { class: "axes" },
    h("p", null, title, ", up to ", h("b", null, bytesText(reach.most))),
    h(
      "svg",
      {
        class: "curves",
        viewBox: "-2 -2 " + (CURVE.width + 4) + " " + (CURVE.height + 4),
        preserveAspectRatio: "none",
        role: "img",
        "aria-label": describe(title, all),
      },
      h("path", { class: "axis", d: "M0 0V" + CURVE.height + "H" + CURVE.width }),
      all.map((curve, index) => h("path", { class: lineClass(index), d: pathOf(curve.points, reach, CURVE.width, CURVE.height) })),
    ),
    h("p", { class: "ends soft" }, h("span", null, momentText(reach.from)), h("span", null, momentText(reach.to))),
  );
}

function describe(title, all) {
  return (
    title + ": " + all.map(({ name, points }) => (name || "no version") + " " + bytesText(points.at(-1)?.y ?? 0)).join(", ") + " at the end"
  );
}

/** A small picture for each host, the one that lost most first. */
function hostCurves(rows, { hostCurves: curve }, everything) {
  const own = new Map(groupsOf(curve ?? [], "host"));
  const all = rows.map((row) => ({ row, points: pointsOf(own.get(row.host) ?? [], "resident") }));
  const reach = reachOf(all);
  return [
    h("p", { class: "hint" }, "The top of each picture is " + bytesText(reach.most) + "."),
    h(
      "ul",
      { class: "multiples" },
      (everything ? all : all.slice(0, FIRST_HOSTS)).map(({ row, points }) =>
        h(
          "li",
          { "data-key": row.host, class: row.lost > 0 ? "multiple lost" : "multiple" },
          h("b", null, row.host),
          points.length
            ? h(
                "svg",
                {
                  class: "curves",
                  viewBox: "-1 -1 " + (SMALL.width + 2) + " " + (SMALL.height + 2),
                  preserveAspectRatio: "none",
                  "aria-hidden": "true",
                },
                h("path", { class: "axis", d: "M0 0V" + SMALL.height + "H" + SMALL.width }),
                h("path", { class: "line line0", d: pathOf(points, reach, SMALL.width, SMALL.height) }),
              )
            : h("p", { class: "soft" }, "no curve"),
          h(
            "span",
            { class: "below" },
            nounText(row.processes, "process", "processes") + (row.mostResident ? ", one at most " + bytesText(row.mostResident) : ""),
          ),
          row.lost > 0
            ? h(
                "span",
                { class: "below strong-lost" },
                countText(row.lost) + " lost" + (row.lostBytes ? ", " + bytesText(row.lostBytes) : ""),
              )
            : null,
        ),
      ),
    ),
    moreButton(rows.length, FIRST_HOSTS, everything),
  ];
}

// ---- The page

function figures({ summary, services, kinds, fresh }) {
  const sum = (rows, field) => (rows ?? []).reduce((total, row) => total + (row[field] ?? 0), 0);
  const list = [
    ["lost", bytesText(sum(services, "lostBytes")), countText(sum(services, "lost")) + " never closed", sum(services, "lost") && "lost"],
    ["handles forgotten", countText(sum(services, "forgotten")), "released by the safety net", sum(services, "forgotten") && "forgotten"],
    ["new lines", countText((fresh ?? []).length), "that lose something", (fresh ?? []).length && "lost"],
    ["kinds", countText((kinds ?? []).length), "counted exactly", null],
    [
      "processes",
      countText(summary.processes),
      summary.incomplete ? countText(summary.incomplete) + " without their end" : "all seen to their end",
      null,
    ],
  ];
  return h(
    "dl",
    { class: "figures" },
    list.map(([name, value, note, mark]) =>
      h(
        "div",
        { class: mark ? "figure " + mark : "figure" },
        h("dt", null, name),
        h("dd", null, h("b", null, value), h("span", null, note)),
      ),
    ),
  );
}

function head({ summary }) {
  return h(
    "div",
    null,
    h("h1", null, "Fleet: " + nounText(summary.services, "service") + " on " + nounText(summary.hosts, "host")),
    h(
      "p",
      { class: "soft" },
      nounText(summary.processes, "process", "processes") +
        (summary.processes ? ", " + momentText(summary.firstMs) + " to " + momentText(summary.lastMs) + " UTC" : ""),
    ),
  );
}

function build(root, data) {
  const main = h("main", { id: "content", tabindex: "-1" });
  const services = [...new Set((data.services ?? []).map((row) => row.service))].sort();
  const chosen = h(
    "select",
    { id: "service" },
    h("option", { value: "" }, "all services"),
    services.map((name) => h("option", { value: name }, name)),
  );
  const filter = h("input", {
    type: "search",
    id: "filter",
    placeholder: "class, method, kind, host or version",
    autocomplete: "off",
    spellcheck: "false",
  });
  const form = h(
    "form",
    { class: "controls", role: "search" },
    h("label", { for: "service" }, "Service"),
    chosen,
    h("label", { for: "filter" }, "Filter"),
    filter,
  );
  const sections = SECTIONS.map((kind) => new Section(kind, data));
  root.append(
    h("a", { class: "skip", href: "#content" }, "To the figures"),
    h("div", { class: "head" }, head(data)),
    h(
      "div",
      { class: "bar-above" },
      h(
        "nav",
        { "aria-label": "Sections" },
        h(
          "ul",
          null,
          SECTIONS.map(({ id, short, title }) => h("li", null, h("a", { href: "#" + id }, short ?? title(data)))),
        ),
      ),
    ),
    main,
  );
  main.append(h("section", { "aria-label": "Summary" }, figures(data), form), ...sections.map((section) => section.view()));
  const choose = () => sections.forEach((section) => section.choose({ service: chosen.value, filter: filter.value }));
  form.addEventListener("submit", (event) => event.preventDefault());
  chosen.addEventListener("change", choose);
  filter.addEventListener("input", choose);
  choose();
}

async function start() {
  const root = document.getElementById("offcut-page");
  const data = await embedded(document.getElementById("offcut-data"));
  if (data.schema === SCHEMA) {
    build(root, data);
  } else {
    root.append(
      h(
        "p",
        { class: "failure", role: "alert" },
        "These data are " +
          (data.schema ?? "no fleet's report of offcut") +
          "; this page shows " +
          SCHEMA +
          ". Use the offcut that wrote them.",
      ),
    );
  }
  root.dataset.ready = "true";
}

start();
