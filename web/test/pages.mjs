// What the checks in the browser share: reports, the pages made of them, and where pictures go.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { page } from "./bundle.mjs";

export const pictures = fileURLToPath(new URL("../../java/target/web-screenshots/", import.meta.url));
mkdirSync(pictures, { recursive: true });

const folder = mkdtempSync(join(tmpdir(), "offcut-pages-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/** A report of web/test/data, to be changed at will. */
export function report(name) {
  return JSON.parse(readFileSync(new URL("data/" + name + ".json", import.meta.url), "utf8"));
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
