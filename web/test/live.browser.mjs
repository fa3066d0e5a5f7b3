// The live page in a real browser: it moves without being loaded again, keeps what the reader does, and survives its server.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startBrowser } from "./chromium.mjs";
import { LiveServer } from "./live-server.mjs";
import { pictures, report } from "./pages.mjs";

const now = { ...report("leak"), complete: false };
const server = new LiveServer(() => now);
let browser;
let tab;
before(async () => {
  browser = await startBrowser();
  tab = await browser.tab();
  await tab.open(await server.start());
  await tab.ask("window.same = 'page'");
  await streaming(1);
});
after(async () => {
  await browser.close();
  await server.stop();
});

/** Waits until the server's n-th stream is open. */
function streaming(n) {
  return happened(() => server.opened >= n);
}

/** Looks again and again; after five minutes that is an error. */
async function happened(condition) {
  const end = Date.now() + 300000;
  while (!condition()) {
    assert.ok(Date.now() < end, "did not happen: " + condition);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A second listener in the page: what it has heard, the page has heard before. */
async function listenAlong() {
  const streams = server.opened;
  await tab.ask(
    "window.along?.close(); window.heard = 0; window.along = new EventSource('api/v1/stream'); along.addEventListener('snapshot', () => heard++)",
  );
  await streaming(streams + 1);
  await tab.until("heard === 1"); // each stream begins with the report as it is
}

const FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";

/** One second later in the program: more of all. */
function tick() {
  const { series, kinds, sites, target } = now;
  target.seconds += 1;
  kinds[0].opened += 3000;
  kinds[0].closed += 3000;
  sites[1].opened += 2944;
  sites[1].closed += 2944;
  series.time.push(series.time.at(-1) + 1);
  for (const values of [series.resident, series.heapCommitted, series.handlesOpen, ...Object.values(series.kinds)]) {
    values.push(Math.round(values.at(-1) * 1.002));
  }
  server.push();
}

const counted = "document.querySelector('#kinds tbody td')?.innerText";
const caughtUp = () => tab.until(counted + " === '" + now.kinds[0].opened.toLocaleString("en-US") + "'");
const state = "document.querySelector('.state').innerText";

test("figures move without a reload", async () => {
  assert.equal(await tab.ask(counted), "412,806");
  tick();
  await tab.until(counted + " === '415,806'");
  assert.match(await tab.ask(state), /live/);
  await tab.picture(pictures + "live.png");
  assert.equal(await tab.ask("window.same"), "page");
});

test("what the reader has opened, chosen and focused stays", async () => {
  await tab.ask("document.querySelector('#findings details').open = true");
  await tab.ask("document.querySelectorAll('.fold')[1].click()");
  await tab.ask("document.querySelectorAll('.fold')[1].focus({ preventScroll: true })");
  const unfolded = await tab.text(".unfolded");
  tick();
  await caughtUp();
  assert.equal(await tab.ask("document.querySelector('#findings details').open"), true);
  assert.equal(await tab.ask("document.activeElement === document.querySelectorAll('.fold')[1]"), true);
  assert.equal(await tab.text(".unfolded"), unfolded);
});

test("nothing jumps: not when figures move, not when a finding is added above", async () => {
  await tab.ask(
    "document.documentElement.style.scrollBehavior = 'auto'; document.activeElement.blur(); document.querySelector('#flame').scrollIntoView(); seen.shift = 0",
  );
  const top = "document.querySelector('#flame').getBoundingClientRect().top";
  await tab.ask(FRAMES);
  const before = await tab.ask(top);
  for (let i = 0; i < 5; i++) {
    tick();
    await caughtUp();
  }
  assert.equal(await tab.ask(top), before);
  now.findings.splice(1, 0, {
    severity: "lost",
    title: "48 shared arenas were lost: 24 MiB",
    text: "Close them.",
    kind: "arena.shared",
    site: 2,
  });
  tick();
  await tab.until("document.querySelectorAll('.card.lost').length === 2");
  await tab.ask(FRAMES);
  assert.ok(Math.abs((await tab.ask(top)) - before) < 2, "what is being read stays where it is");
  assert.ok((await tab.ask("seen.shift")) < 0.05, "layout shift " + (await tab.ask("seen.shift")));
  await tab.picture(pictures + "live-scrolled.png");
});

test("a program that has just begun fills the page without a jump", async (context) => {
  const full = report("leak");
  const young = { ...report("empty"), complete: false };
  const starting = new LiveServer(() => young);
  const fresh = await browser.tab();
  // Also if a check fails: a server that listens keeps the run from ending, and a tab behind another one draws nothing.
  context.after(async () => {
    await fresh.close();
    await starting.stop();
  });
  await fresh.open(await starting.start());
  await fresh.until("document.querySelector('.verdict')");
  const grow = async (more, seen) => {
    Object.assign(young, more);
    starting.push();
    await fresh.until(seen);
    await fresh.ask(FRAMES);
  };
  const few = { ...full.series, time: full.series.time.slice(0, 3) };
  await grow({ memory: full.memory }, "document.querySelector('.bars')");
  await grow({ series: few }, "document.querySelector('.curve canvas')");
  await grow({ kinds: full.kinds, sites: full.sites }, "document.querySelector('#flame canvas')?.checkVisibility()");
  await grow({ findings: full.findings.slice(0, 1) }, "document.querySelectorAll('.card').length === 1");
  await grow({ findings: full.findings.slice(0, 2), handles: full.handles }, "document.querySelectorAll('.card').length === 2");
  assert.ok((await fresh.ask("seen.shift")) < 0.05, "layout shift " + (await fresh.ask("seen.shift")));
  await fresh.picture(pictures + "live-young.png");
});

test("between two marks: what was opened and is still held", async () => {
  const mark = "[...document.querySelectorAll('.tools button')].find((one) => /mark/i.test(one.textContent))";
  assert.equal(await tab.ask("document.querySelector('#marks').hidden"), true);
  await tab.ask(mark + ".click()");
  await tab.until("!document.querySelector('#marks').hidden");
  const grow = () => {
    const [site] = now.sites.filter((one) => one.kind === now.kinds[0].kind);
    now.kinds[0].opened += 40;
    now.kinds[0].open += 40;
    now.kinds[0].bytes += 40 * 1024;
    now.kinds[0].openedBytes += 40 * 1024;
    site.open += 40;
    site.bytes += 40 * 1024;
    tick();
  };
  grow();
  await caughtUp();
  const text = await tab.text("#marks");
  assert.match(text, /since the mark, 1 s ago[^]*confined arenas\s*3,040\s*3,000\s*40 to/);
  assert.match(text, /Call sites that hold more\s*\+40 KiB confined arenas/);
  assert.match(text, /Not tracked|a garbage collection finds it/);
  assert.equal(await tab.ask(mark + ".textContent"), "Second mark");
  await tab.ask(mark + ".click()");
  await tab.until("/The marks are 1 s apart/.test(document.querySelector('#marks').innerText)");
  const held = await tab.text("#marks table");
  grow();
  await caughtUp();
  assert.equal(await tab.text("#marks table"), held, "the second mark stays");
  await tab.ask("document.querySelector('#marks').scrollIntoView()");
  await tab.picture(pictures + "live-marks.png", { of: "#marks" });
  await tab.ask(mark + ".click()");
  await tab.until("/since the mark, 0 s ago/.test(document.querySelector('#marks').innerText)");
});

test("pause holds the page, go on catches up", async () => {
  await tab.ask("document.querySelector('.tools button[aria-pressed]').click()");
  await tab.until(state + " === 'paused'");
  const shown = await tab.ask(counted);
  await listenAlong();
  tick();
  tick();
  await tab.until("heard === 3");
  await tab.ask(FRAMES);
  assert.equal(await tab.ask(counted), shown);
  await tab.ask("document.querySelector('.tools button[aria-pressed]').click()");
  await caughtUp();
});

test("a stream that breaks is taken up again", async () => {
  await tab.ask("along.close()");
  const streams = server.opened;
  server.drop();
  await tab.until(state + ".includes('connection lost')");
  await streaming(streams + 1);
  tick();
  await tab.until(state + ".includes('live')");
  assert.equal(await tab.ask("window.same"), "page");
});

test("a server that refuses for a while is tried again", async () => {
  const { opened: streams, refused } = server;
  server.refusing = true;
  server.drop();
  await tab.until(state + ".includes('connection lost')");
  await happened(() => server.refused >= refused + 2); // the browser's own try, after which it gives up, and one of the page
  await tab.picture(pictures + "live-lost.png");
  server.refusing = false;
  await streaming(streams + 1);
  tick();
  await tab.until(state + ".includes('live')");
  assert.equal(await tab.ask(counted), now.kinds[0].opened.toLocaleString("en-US"));
});

test("the last word ends the stream, also of a program that was killed, whose report is not complete", async () => {
  assert.match(await tab.text("header"), /runs for/);
  tick();
  server.end();
  await tab.until(state + " === 'ended'");
  assert.match(await tab.text("header"), /ran/);
  assert.equal(await tab.ask("window.same"), "page");
  await listenAlong();
  const streams = server.opened;
  server.drop();
  await streaming(streams + 1); // the second listener has come back
  assert.equal(server.opened, streams + 1, "the page has not");
  await tab.ask("along.close()");
});

test("no violation of the policy, and no complaint but of the refusals", async () => {
  assert.deepEqual(await tab.ask("seen.violations"), []);
  assert.deepEqual(
    tab.complaints.filter((each) => !/^network: .*(503|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION|ERR_EMPTY_RESPONSE)/.test(each)),
    [],
  );
  assert.deepEqual(
    tab.requests.filter((each) => !each.startsWith("http://127.0.0.1:") && !each.startsWith("data:")),
    [],
  );
});

test("a page whose server has nothing yet waits", async () => {
  const late = await browser.tab();
  server.refusing = true;
  const refused = server.refused;
  await late.open(await tab.ask("location.href"), "document.querySelector('.tools button')");
  await happened(() => server.refused > refused);
  await late.until(state + " === 'connection lost, trying again'");
  server.refusing = false;
  const streams = server.opened;
  await streaming(streams + 1);
  server.push();
  await late.until("document.querySelector('#kinds tbody td')");
  await late.until(state + " === 'ended'"); // a page that is opened later hears the last word, too
  await late.close();
});
