// The page of measurements: bars with their intervals, a table for each metric of each case. Data: one offcut.bench/1, or a list of them;
// or offcut.results/1, where each suite has what its source published beside it, where a peer is ahead, and the bars.

import { h, show } from "./library/dom.js";
import { casesOf, figureText, metricText, reachOf } from "./library/resultgroups.js";
import { embedded } from "./library/source.js";

const SCHEMA = "offcut.bench/1";
const ALL = "offcut.results/1";

/** A suite with its source. */
function sectionView(section, index) {
  const { suite, title, source, link, says, failure, notes, tables, pictures, ahead, bars, run } = section;
  const without = run ? "Not everything of " + suite + " was measured: " : suite + " was not measured: ";
  return [
    h("h2", { id: "suite-" + suite }, title ?? suite),
    failure ? h("p", { class: "failure", role: "alert" }, without + failure) : null,
    (notes ?? []).map((note) => h("p", { class: "failure", role: "note" }, note)),
    source ? h("p", null, "Source: ", link ? h("a", { href: link, rel: "noreferrer" }, source) : source) : null,
    says ? h("p", null, says) : null,
    tables.map((table) => textTable(table, section)),
    (pictures ?? []).map(({ caption, url }) => h("p", null, h("img", { class: "picture", src: url, alt: caption }))),
    run ? [textTable(ahead, section, "Nowhere in this run."), textTable(bars, section, "None was judged.")] : null,
    run ? h("section", { "aria-label": "All rows of " + suite }, runView(run, index)) : null,
  ];
}

/** A table whose cells are text already; with the machine it was made on under it. */
function textTable({ caption, columns, lines }, { made }, none) {
  if (!lines.length) {
    return h("p", null, h("b", null, caption), " ", none);
  }
  return h(
    "div",
    { class: "scroll", role: "region", "aria-label": caption, tabindex: "0" },
    h(
      "table",
      { class: "results" },
      h("caption", null, h("b", null, caption)),
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          columns.map((title) => h("th", { scope: "col" }, title)),
        ),
      ),
      h(
        "tbody",
        null,
        lines.map((cells) =>
          h(
            "tr",
            { class: cells[0].startsWith("offcut") ? "ours" : null },
            cells.map((cell, at) => h(at ? "td" : "th", { scope: at ? null : "row" }, at ? cell : h("b", null, cell))),
          ),
        ),
      ),
    ),
    made ? h("p", { class: "hint" }, made) : null,
  );
}

function runView(run, index) {
  const cases = casesOf(run.rows);
  const id = (name) => "run" + index + "-" + name;
  return [
    h("h2", null, run.suite),
    h("dl", { class: "facts" }, environment(run.environment)),
    run.environment.quick ? h("p", { class: "hint" }, "This is a quick run with less work. Compare its figures only with each other.") : null,
    h(
      "nav",
      { "aria-label": "Cases of " + run.suite },
      h(
        "ul",
        null,
        cases.map(({ name }) => h("li", null, h("a", { href: "#" + id(name) }, metricText(name)))),
      ),
    ),
    cases.map(({ name, tables }) =>
      h(
        "section",
        { id: id(name), "aria-label": name },
        h("h3", null, metricText(name)),
        tables.map((table) => tableView(table, name)),
      ),
    ),
  ];
}

function environment(facts) {
  const shown = ["time", "offcut", "runtime", "vm", "cpu", "cpus", "os", "arch", "load_before", "load_after", "seconds"];
  return shown
    .filter((name) => facts[name] !== undefined && facts[name] !== "")
    .map((name) => h("div", null, h("dt", null, metricText(name)), h("dd", null, String(facts[name]))));
}

function tableView({ metric, unit, runtime, rows }, name) {
  const most = reachOf(rows);
  const differs = (field) => rows.some((row) => row[field] !== rows[0][field]);
  const columns = [
    ["implementation", (row) => [h("b", null, row.impl), " ", h("span", { class: "soft" }, row.version)]],
    differs("threads") ? ["threads", (row) => String(row.threads), true] : null,
    differs("gc") ? ["collector", (row) => row.gc] : null,
    [unit, (row) => figureText(row.value) + (row.spread ? " ± " + figureText(row.spread) : ""), true],
    ["to ours", (row) => (row.ratio === null ? "" : figureText(row.ratio) + " ×"), true],
    ["", (row) => intervalBar(row, most)],
  ].filter(Boolean);
  const setting = [
    differs("threads") ? null : rows[0].threads + (rows[0].threads === 1 ? " thread" : " threads"),
    differs("gc") ? null : rows[0].gc,
    runtime,
  ];
  return h(
    "div",
    { class: "scroll", role: "region", "aria-label": metricText(name) + ", " + metricText(metric), tabindex: "0" },
    h(
      "table",
      { class: "results" },
      h("caption", null, h("b", null, metricText(metric)), " " + setting.filter(Boolean).join(", ")),
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          columns.map(([title, , number]) => h("th", { scope: "col", class: number ? "number" : null }, title)),
        ),
      ),
      h(
        "tbody",
        null,
        rows.map((row) =>
          h(
            "tr",
            { class: row.ours ? "ours" : null },
            columns.map(([title, text, number], at) =>
              h(at ? "td" : "th", { scope: at ? null : "row", class: number ? "number" : title ? null : "wide" }, text(row)),
            ),
          ),
        ),
      ),
    ),
  );
}

/** A bar, and over its end the interval from the value less its spread to the value and its spread. */
function intervalBar(row, most) {
  const at = (value) => (most > 0 ? (100 * Math.max(0, value)) / most : 0);
  const from = at(row.value - row.spread);
  const to = at(row.value + row.spread);
  return h(
    "svg",
    { class: "bar interval", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    h("rect", { class: row.ours ? "ours" : "theirs", y: "1", width: at(row.value).toFixed(2), height: "8" }),
    row.spread > 0 ? h("rect", { class: "spread", x: from.toFixed(2), y: "4", width: (to - from).toFixed(2), height: "2" }) : null,
  );
}

async function start() {
  const root = document.getElementById("offcut-page");
  const main = h("main");
  root.append(h("div", { class: "head" }, h("h1", null, "Measurements")), main);
  const data = await embedded(document.getElementById("offcut-data"));
  const sections = data.schema === ALL ? data.sections : null;
  const runs = sections ? sections.flatMap((section) => section.run ?? []) : [data].flat();
  const wrong = runs.find((run) => run.schema !== SCHEMA);
  if (wrong) {
    show(
      main,
      h(
        "p",
        { class: "failure", role: "alert" },
        "These data are " + (wrong.schema ?? "no measurements of offcut") + "; this page shows " + SCHEMA + ".",
      ),
    );
    return;
  }
  show(
    main,
    h(
      "p",
      null,
      "A bar is the median of the rounds. The line over its end shows the median ± half the interquartile range. “To ours” is the value of a row divided by Offcut's value in the same setting of the same run.",
    ),
    sections
      ? h(
          "nav",
          { "aria-label": "Suites" },
          h(
            "ul",
            null,
            sections.map(({ suite }) => h("li", null, h("a", { href: "#suite-" + suite }, suite))),
          ),
        )
      : null,
    sections
      ? sections.map((section, index) => h("section", { "aria-label": section.suite }, sectionView(section, index)))
      : runs.map(runView),
  );
  root.dataset.ready = "true";
}

start();
