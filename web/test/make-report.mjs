// node web/test/make-report.mjs DATA.json [PAGE.html] [--packed]: the static page of a report or of a fleet, to PAGE.html or stdout.

import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { page } from "./pages.mjs";

const packed = process.argv.includes("--packed");
const [from, to] = process.argv.slice(2).filter((word) => word !== "--packed");
if (!from) {
  console.error("usage: node web/test/make-report.mjs DATA.json [PAGE.html] [--packed]");
  process.exit(2);
}
const data = JSON.parse(readFileSync(from, "utf8"));
const json = JSON.stringify(data);
const [, kind] = /^offcut\.([a-z-]+)/.exec([data].flat()[0].schema);
const shown = { "fleet-report": ["fleet.html", "fleet"] };
const [template, title] = shown[kind] ?? ["report.html", data.target.main];
const html = page(template, {
  title: title + " · offcut",
  data: packed ? gzipSync(json).toString("base64") : json,
});
if (to) {
  writeFileSync(to, html);
} else {
  process.stdout.write(html);
}
