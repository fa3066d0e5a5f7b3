// The static page without a mouse.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startBrowser } from "./chromium.mjs";
import { fileOf, pictures, report } from "./pages.mjs";

let browser;
let tab;
before(async () => {
  browser = await startBrowser();
  tab = await browser.tab();
  await tab.open(fileOf(report("big")));
});
after(() => browser.close());

/** A name for the element that has the focus. */
const FOCUSED =
  "(() => { const e = document.activeElement; return e === document.body ? '' : e.tagName + '#' + e.id + '.' + [...document.querySelectorAll(e.tagName)].indexOf(e); })()";

/** What can be worked with and is not hidden or folded away. */
const REACHABLE = `[...document.querySelectorAll("a[href], button:not(:disabled), select, input, summary, [tabindex='0']")]
  .filter((e) => e.checkVisibility()).map((e) => e.tagName + '#' + e.id + '.' + [...document.querySelectorAll(e.tagName)].indexOf(e))`;

test("Tab reaches everything that can be worked with", async () => {
  const wanted = await tab.ask(REACHABLE);
  assert.ok(wanted.length > 40, wanted.length + " stops");
  const reached = new Set();
  for (let i = 0; i < wanted.length + 20; i++) {
    await tab.press("Tab");
    reached.add(await tab.ask(FOCUSED));
  }
  assert.deepEqual(
    wanted.filter((each) => !reached.has(each)),
    [],
  );
});

test("what has the focus is outlined", async () => {
  for (const selector of [".fold", "canvas.flame", ".curve", "nav a", "summary", ".cells"]) {
    await tab.ask("document.querySelector(" + JSON.stringify(selector) + ").focus()");
    await tab.press("Shift"); // the last thing that happened was a key
    assert.equal(await tab.ask("getComputedStyle(document.activeElement).outlineStyle"), "solid", selector);
  }
});

test("Enter unfolds a line's stack", async () => {
  await tab.ask("document.querySelector('.fold').focus()");
  await tab.press("Enter");
  assert.equal(await tab.ask("document.activeElement.getAttribute('aria-expanded')"), "true");
  assert.ok(await tab.ask("document.querySelector('.unfolded').checkVisibility()"));
});

test("arrows walk the flame graph, Enter looks closer, Escape goes back", async () => {
  await tab.ask("document.querySelector('canvas.flame').focus()");
  const said = () => tab.text("#flame-said");
  for (let i = 0; i < 5; i++) {
    await tab.press("ArrowDown");
  }
  const down = await said();
  await tab.press("ArrowRight");
  const right = await said();
  assert.notEqual(right, down);
  await tab.press("Enter");
  assert.equal(await tab.ask("document.querySelector('#flame button').disabled"), false);
  await tab.picture(pictures + "big-flame-closer.png", { of: "#flame" });
  for (let i = 0; i < 6; i++) {
    await tab.press("Escape");
  }
  assert.match(await said(), /^all: /);
});

test("arrows move over the curve, plus zooms, 0 shows the whole", async () => {
  await tab.ask("document.querySelector('.curve').focus()");
  const caption = () => tab.text(".legend-table caption");
  assert.match(await caption(), /the last/);
  await tab.press("Home");
  assert.equal(await caption(), "At 0:00");
  await tab.press("ArrowRight");
  assert.equal(await caption(), "At 0:04");
  const before = await tab.ask("document.querySelector('.curve canvas').toDataURL()");
  await tab.press("+");
  await tab.until("document.querySelector('.curve canvas').toDataURL() !== " + JSON.stringify(before));
  await tab.press("0");
  await tab.press("End");
  assert.equal(await caption(), "At 59:56");
});

test("arrows move over the chunk map", async () => {
  await tab.ask("document.querySelector('.cells').focus()");
  await tab.press("Home");
  const said = () => tab.text(".map .said");
  assert.match(await said(), /^cell 1 of \d+ at 0 B: handed out$/);
  await tab.press("ArrowRight");
  assert.match(await said(), /^cell 2 of/);
  await tab.press("End");
  assert.match(await said(), /^cell (\d+) of \1 /);
});

test("the flame graph as a table", async () => {
  await tab.ask("document.querySelector('#flame summary').focus()");
  await tab.press("Enter");
  await tab.until("document.querySelectorAll('.tree tbody tr').length > 10");
  assert.match(await tab.text(".tree tbody"), /all\s+[\d.]+ GiB\s+100 %/);
});
