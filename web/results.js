// The page of measurements: bars with their intervals, a table for each metric of each case. Data: one offcut.bench/1, or a list of them.

import { h, show } from "./dom.js";
import { casesOf, figureText, metricText, reachOf } from "./resultgroups.js";
import { embedded } from "./source.js";

const SCHEMA = "offcut.bench/1";

function runView(run, index) {
  const cases = casesOf(run.rows);
  const id = (name) => "run" + index + "-" + name;
  return [
    h("h2", null, run.suite),
    h("dl", { class: "facts" }, environment(run.environment)),
    run.environment.quick ? h("p", { class: "hint" }, "The quick form: smaller, so that only its own ratios count.") : null,
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
  const runs = [await embedded(document.getElementById("offcut-data"))].flat();
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
      "Bars are medians; the line over a bar's end reaches from the median less half the distance between the quartiles to the median and as much. “To ours” is a row's value by that of offcut in the same setting of the same run.",
    ),
    runs.map(runView),
  );
  root.dataset.ready = "true";
}

start();
