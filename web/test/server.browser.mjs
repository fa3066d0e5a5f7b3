// The page as the command serves it, `offcut web`, with a recording that `offcut run` made: nothing here is a stand-in but the program.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { startBrowser } from "./chromium.mjs";
import { built, java, pictures } from "./pages.mjs";

const [jar, agent] = [built("diagnosis/command/target/offcut-command.jar"), built("diagnosis/agent/target/offcut-agent.jar")];
const command = ["-Doffcut.agent.jar=" + agent, "-cp", jar, "dev.offcut.command.Main"];

const PROGRAM = `
  import java.lang.foreign.Arena;

  class Leaky {
    public static void main(String[] args) {
      for (int i = 0; i < 1000; i++) {
        forget();
      }
    }

    static void forget() {
      Arena.ofConfined().allocate(1024);
    }
  }`;

const folder = mkdtempSync(join(tmpdir(), "offcut-server-"));
let browser;
let server;

before(async () => {
  record();
  browser = await startBrowser();
});
after(async () => {
  server?.kill();
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Leaves leak.offcut in the folder. */
function record() {
  writeFileSync(join(folder, "Leaky.java"), PROGRAM);
  const words = ["run", "--level", "full", "--no-report", "-o", "leak", "--", java, "Leaky.java"];
  const ran = spawnSync(java, [...command, ...words], { cwd: folder, encoding: "utf8" });
  assert.equal(ran.status, 0, ran.stderr);
}

/** Starts the server; returns the address that it says. */
function serve() {
  server = spawn(java, [...command, "web", "leak.offcut"], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  return new Promise((resolve, reject) => {
    let said = "";
    server.on("exit", (code) => reject(new Error("ended with " + code + ": " + said)));
    server.stderr.setEncoding("utf8").on("data", (text) => {
      said += text;
      const address = /live page at (\S+)\s/.exec(said);
      if (address) {
        resolve(address[1]);
      }
    });
  });
}

test("a recording of a program that leaks is shown by offcut web", async () => {
  const address = await serve();
  const tab = await browser.tab();
  await tab.open(address);
  await tab.until("document.querySelector('.card.lost')");
  assert.match(await tab.text(".card.lost"), /1,000 confined arenas lost/);
  assert.match(await tab.text(".card.lost"), /Leaky\.forget\(Leaky\.java:12\)/);
  assert.equal(await tab.text("#kinds tbody td"), "1,000");
  await tab.until("document.querySelector('.state').textContent.includes('ended')"); // a later answer of the server
  assert.ok(await tab.ask("document.querySelector('canvas.flame').width > 0"), "there is a flame graph");
  assert.deepEqual(await tab.ask("seen.violations"), [], "violations of the policy");
  assert.deepEqual(tab.complaints, [], "complaints");
  assert.deepEqual(
    tab.requests.filter((each) => !each.startsWith(address) && !each.startsWith("data:")),
    [],
    "requests to elsewhere",
  );
  await tab.picture(pictures + "served.png", { whole: true });
  await tab.close();
});
