// node web/test/make-report.mjs DATA.json [PAGE.html] [--packed]: the static page of a report or of measurements, to PAGE.html or stdout.

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
const measured = [data].flat()[0].schema.startsWith("offcut.bench/");
const html = page(measured ? "results.html" : "report.html", {
  title: (measured ? "measurements" : data.target.main) + " · offcut",
  data: packed ? gzipSync(json).toString("base64") : json,
});
if (to) {
  writeFileSync(to, html);
} else {
  process.stdout.write(html);
}
