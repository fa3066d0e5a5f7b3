// What the checks in the browser share: reports, the pages made of them, and where pictures go.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

/** What the command is started with. */
export const java = process.env.JAVA_HOME ? join(process.env.JAVA_HOME, "bin", "java") : "java";

/** A jar of the build. */
export function built(file) {
  const jar = fileURLToPath(new URL("../../java/" + file, import.meta.url));
  assert.ok(existsSync(jar), jar + " is not built; ./offcut ps does so");
  return jar;
}

export const pictures = fileURLToPath(new URL("../../java/target/web-screenshots/", import.meta.url));
mkdirSync(pictures, { recursive: true });

const folder = mkdtempSync(join(tmpdir(), "offcut-pages-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/** A report of web/test/data, to be changed at will. */
export function report(name) {
  return JSON.parse(readFileSync(new URL("data/" + name + ".json", import.meta.url), "utf8"));
}

const templates = new Map();

/** A page of the command, which alone makes one file of a template and its modules, before title and data are in it. */
function templateOf(name) {
  if (!templates.has(name)) {
    const words = ["-cp", built("diagnosis/command/target/offcut-command.jar"), fileURLToPath(new URL("PageTemplate.java", import.meta.url)), name];
    const made = spawnSync(java, words, { encoding: "utf8", maxBuffer: 2 ** 26 });
    assert.equal(made.status, 0, made.stderr);
    templates.set(name, made.stdout);
  }
  return templates.get(name);
}

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** A page as one file. `data`: what stands in its data block, JSON or packed JSON as text. */
export function page(template, { title, text = "", data }) {
  const values = { title: escaped(title), text: escaped(text), data: data.replaceAll("<", "\\u003c") };
  return templateOf(template).replace(/\{\{(title|text|data)\}\}/g, (_, word) => values[word]);
}

let pages = 0;

/** Writes the static page of a report, or of what another template shows, and returns its address. `change`: of the finished text. */
export function fileOf(data, { packed = false, template = "report.html", change = (html) => html } = {}) {
  const json = JSON.stringify(data);
  return written(
    change(page(template, { title: "a report", text: "the report as text", data: packed ? gzipSync(json).toString("base64") : json })),
  );
}

/** A file with this text, and its address. */
export function written(html) {
  const file = join(folder, "page" + ++pages + ".html");
  writeFileSync(file, html);
  return "file://" + file;
}
