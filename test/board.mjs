// Asks a Prometheus for all queries of spec/grafana.json and spec/alerts.yml: each has to parse, each of the board has to have a
// series if the program has its metric, and the alerts fire if the program leaks. test/board.sh starts it.
//
// node test/board.mjs ROOT PROMETHEUS leak|fixed|go PROGRAM
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const [root, prometheus, how, program] = process.argv.slice(2);
const PAUSE_MILLIS = 20;
const LONGEST_WAIT_MILLIS = 180_000;
const ENOUGH_SAMPLES = 20; // so that what would be wrong of a fixed program shows
const FEWEST_QUERIES = 15;
// What fires. Those with a duration of minutes are pending; those with a window of an hour are tried by test/alerts.yml.
const FIRING = { leak: ["OffcutHandleForgotten", "OffcutResourceLost"], fixed: [], go: ["OffcutHandleForgotten"] }[how];
const PENDING = { leak: ["OffcutBudgetNearlyFull", "OffcutPoolNearlyFull"], fixed: [], go: ["OffcutPoolNearlyFull"] }[how];

const board = JSON.parse(readFileSync(`${root}/spec/grafana.json`, "utf8"));
const names = JSON.parse(readFileSync(`${root}/spec/names.json`, "utf8"));
const problems = [];

/** A metric's name as Prometheus shows it. */
function shown({ name, unit, kind }) {
  const words = { By: "_bytes", s: "_seconds" }[unit] ?? "";
  const base = name.replaceAll(".", "_");
  return (base.endsWith(words) ? base : base + words) + (kind === "counter" ? "_total" : "");
}
const known = new Set(names.metrics.map(shown));

async function ask(path, parameters) {
  const response = await fetch(`${prometheus}/api/v1/${path}`, {
    method: parameters ? "POST" : "GET",
    body: parameters && new URLSearchParams(parameters),
  });
  const answer = await response.json();
  if (answer.status !== "success") {
    throw new Error(answer.error);
  }
  return answer.data;
}

function metricsIn(query) {
  return query.match(/offcut_[a-z_]*[a-z]/g) ?? [];
}

function checkNames(where, query) {
  const used = metricsIn(query);
  if (used.length === 0) {
    problems.push(`${where}: no metric in ${query}`);
  }
  for (const metric of used.filter((each) => !known.has(each))) {
    problems.push(`${where}: spec/names.json has no ${metric}`);
  }
}

/** What Grafana puts in for the variables, if all jobs and instances are chosen. */
function substituted(query) {
  const text = query.replaceAll("$job", ".*").replaceAll("$instance", ".*").replaceAll("$__rate_interval", "10s");
  if (text.includes("$")) {
    problems.push(`an unknown variable in ${query}`);
  }
  return text;
}

/** The board's queries, by panel. */
function queries() {
  return board.panels.flatMap((panel) =>
    (panel.targets ?? []).map((target) => ({ where: `panel "${panel.title}" ${target.refId}`, query: target.expr })),
  );
}

/** The queries that this program has a series for. One in Go lacks some metrics, and then the queries that begin with them. */
async function askable() {
  const there = await ask("label/__name__/values");
  return queries().filter(({ query }) => how !== "go" || there.includes(metricsIn(query)[0]));
}

/** Those without a series, as sentences. */
async function missing() {
  const all = [];
  const asked = await askable();
  for (const { where, query } of asked) {
    try {
      const { result } = await ask("query", { query: substituted(query) });
      if (result.length === 0) {
        all.push(`${where}: no series for ${query}`);
      }
    } catch (e) {
      all.push(`${where}: ${e.message} in ${query}`);
    }
  }
  if (asked.length < FEWEST_QUERIES) {
    all.push(`only ${asked.length} queries are about metrics of the program`);
  }
  return all;
}

async function rules() {
  const { groups } = await ask("rules");
  return groups.flatMap((group) => group.rules);
}

/** What is not as it should be yet. */
async function state() {
  const wrong = await missing();
  for (const rule of await rules()) {
    const firing = rule.state === "firing";
    const soon = rule.state === "pending" || firing;
    if ((FIRING.includes(rule.name) && !firing) || (PENDING.includes(rule.name) && !soon)) {
      wrong.push(`alert ${rule.name} is ${rule.state} for a program that leaks`);
    }
    if (soon && !FIRING.includes(rule.name) && !PENDING.includes(rule.name)) {
      wrong.push(`alert ${rule.name} is ${rule.state} for a program that gives no reason`);
    }
  }
  const [samples] = (await ask("query", { query: "count_over_time(offcut_pool_committed_bytes[5m])" })).result;
  if (!(samples?.value[1] >= ENOUGH_SAMPLES)) {
    wrong.push(`only ${samples?.value[1] ?? 0} samples were read`);
  }
  return wrong;
}

let served = true;
/** The clients of the service, until it is known how it does. The program in Go has none. */
async function request() {
  for (let order = 0; served && how !== "go"; order++) {
    await fetch(`${program}/orders/${order}/invoice`, { method: "POST" }).catch(() => {}); // not yet there
    await sleep(PAUSE_MILLIS);
  }
}

const clients = request();
const began = Date.now();
let wrong = ["Prometheus did not answer"];
while (wrong.length > 0 && Date.now() - began < LONGEST_WAIT_MILLIS) {
  await sleep(1000);
  try {
    wrong = await state();
  } catch (e) {
    wrong = [`Prometheus did not answer: ${e.message}`];
  }
}
problems.push(...wrong);
served = false;
await clients;

const asked = queries();
for (const { where, query } of asked) {
  checkNames(where, query);
}
const onBoard = new Set(asked.flatMap(({ query }) => metricsIn(query)));
for (const metric of [...known].filter((each) => !onBoard.has(each))) {
  problems.push(`no panel shows ${metric}`);
}

if (!wrong.some((each) => each.startsWith("Prometheus"))) {
  const all = await rules();
  for (const rule of all) {
    checkNames(`alert ${rule.name}`, rule.query);
    if (rule.health !== "ok") {
      problems.push(`alert ${rule.name}: ${rule.lastError}`);
    }
  }
  for (const name of [...FIRING, ...PENDING].filter((each) => !all.some((rule) => rule.name === each))) {
    problems.push(`there is no alert ${name}`);
  }
  // The choices of the variables, as label_values(selector, label) asks for them.
  for (const variable of board.templating.list.filter((each) => each.type === "query")) {
    const [, selector, label] = /^label_values\((.*), (\w+)\)$/.exec(variable.query.query);
    const got = await ask(`label/${label}/values?match[]=${encodeURIComponent(substituted(selector))}`);
    if (got.length !== 1) {
      problems.push(`variable ${variable.name}: ${got.length} choices`);
    }
  }
  console.log(`# ${how}: ${(await askable()).length} of ${asked.length} queries of the board, ${all.length} alerts`);
  console.log(
    `# firing: ${
      all
        .filter((rule) => rule.state === "firing")
        .map((rule) => rule.name)
        .join(" ") || "none"
    }`,
  );
}
for (const problem of new Set(problems)) {
  console.error(problem);
}
process.exitCode = problems.length > 0 ? 1 : 0;
