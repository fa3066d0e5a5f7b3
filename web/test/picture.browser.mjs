// The picture in README.md, docs/report/leaks.png, shows what the page says today: the texts that were saved with it are those of a
// new run of the same program.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { startBrowser } from "./chromium.mjs";
import { built, java } from "./pages.mjs";
import { textsOf, WINDOW } from "./picture-texts.mjs";

const report = (name) => fileURLToPath(new URL("../../docs/report/" + name, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "offcut-picture-"));
let browser;

before(async () => {
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

function ran(...words) {
  const ended = spawnSync(words[0], words.slice(1), { cwd: folder, encoding: "utf8" });
  assert.equal(ended.status, 0, ended.stderr);
}

test("the picture in README.md has the texts of the page", async () => {
  ran(java.replace(/java$/, "javac"), "-g", "-d", folder, report("Thumbnails.java"));
  const command = ["-Doffcut.agent.jar=" + built("diagnosis/agent/target/offcut-agent.jar"), "-cp", built("diagnosis/command/target/offcut-command.jar")];
  const program = [java, "-Xmx64m", "-cp", ".", "com.example.Thumbnails"];
  ran(java, ...command, "dev.offcut.command.Main", "run", "-o", "report", "--", ...program);
  const tab = await browser.tab(WINDOW);
  await tab.open("file://" + join(folder, "report.html"));
  assert.equal(await textsOf(tab), readFileSync(report("leaks.txt"), "utf8"), "sh docs/report/picture.sh takes it anew");
  await tab.close();
});
