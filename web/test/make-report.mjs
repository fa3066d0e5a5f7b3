// node web/test/make-report.mjs REPORT.json [PAGE.html] [--packed]: the static page of a report, to PAGE.html or stdout.

import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { page } from "./bundle.mjs";

const packed = process.argv.includes("--packed");
const [from, to] = process.argv.slice(2).filter((word) => word !== "--packed");
if (!from) {
  console.error("usage: node web/test/make-report.mjs REPORT.json [PAGE.html] [--packed]");
  process.exit(2);
}
const json = JSON.stringify(JSON.parse(readFileSync(from, "utf8")));
const html = page("report.html", {
  title: JSON.parse(json).target.main + " · offcut",
  data: packed ? gzipSync(json).toString("base64") : json,
});
if (to) {
  writeFileSync(to, html);
} else {
  process.stdout.write(html);
}
