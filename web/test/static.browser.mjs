// The static page in a real browser, from file://.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startBrowser } from "./chromium.mjs";
import { fileOf, pictures, report } from "./pages.mjs";

let browser;
before(async () => (browser = await startBrowser()));
after(() => browser.close());

/** Opens a page, runs the checks, and wants it to have complained of nothing and asked for nothing. */
async function visit(url, options, checks) {
  const tab = await browser.tab(options);
  await tab.open(url);
  await checks(tab);
  assert.deepEqual(tab.complaints, [], "complaints");
  assert.deepEqual(await tab.ask("seen.violations"), [], "violations of the policy");
  assert.deepEqual(
    tab.requests.filter((each) => each !== url && !each.startsWith("data:")),
    [],
    "requests",
  );
  await tab.close();
}

const LOOKS = [
  ["light", false],
  ["dark", true],
];

/** Of a phone, of a small and of a large screen. */
const WIDTHS = [400, 1024, 1400];

for (const name of ["empty", "leak", "big", "accounted"]) {
  for (const [look, dark] of LOOKS) {
    for (const width of WIDTHS) {
      test(name + ", " + look + ": " + width + " px wide nothing is cut off, and nothing is wrong", () =>
        visit(fileOf(report(name)), { width, height: 768, dark }, async (tab) => {
          assert.equal(await tab.ask("document.documentElement.scrollWidth"), width);
          assert.deepEqual(
            await tab.ask(
              "[...document.querySelectorAll('main *')].filter((one) => !one.closest('.scroll, .unseen, svg') && one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.outerHTML.slice(0, 200))",
            ),
            [],
            "elements that reach beyond the page",
          );
          const scrolling = await tab.ask(
            "[...document.querySelectorAll('.scroll')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.getAttribute('aria-label'))",
          );
          assert.deepEqual(width < 1000 ? [] : scrolling, [], "tables that scroll");
          await tab.picture(pictures + name + "-" + look + "-" + width + ".png", { whole: true });
        }),
      );
    }
  }
}

test("the curve has the parts of the accounts, and what each has at a time", () =>
  visit(fileOf(report("accounted")), {}, async (tab) => {
    const names = await tab.ask("[...document.querySelectorAll('#memory .legend-table tbody tr')].map((row) => row.dataset.key)");
    const { account } = report("accounted");
    const large = account.rows.filter((row) => Math.max(...row.bytes) >= 0.01 * Math.max(...account.resident)).map((row) => row.part);
    assert.deepEqual(names.filter((name) => !["resident", "heap line", "rest", "small parts"].includes(name)).reverse(), large);
    assert.match(await tab.text("#memory .lead"), /The line is resident memory\. The areas are its parts/);
    assert.match(await tab.text("#memory .lead"), /The dashed line is the heap in use after the last collection\./);
    assert.doesNotMatch(await tab.text("#memory .legend-table"), /committed|undefined|NaN/);
    await tab.ask("document.querySelector('#memory .curve').focus()");
    await tab.press("Home");
    await tab.until("/At 0:00/.test(document.querySelector('#memory caption').innerText)");
    await tab.picture(pictures + "accounted-memory.png", { of: "#memory" });
  }));

test("what holds open resources", () => {
  const held = report("accounted");
  const way = (kind, count, by) => ({ kind, count, by });
  held.holders = { problem: "", held: [way("buffer.direct", 2, "a variable of shop.Main.main(Main.java:3) in the thread main")] };
  for (let number = 1; number <= 12; number++) {
    held.holders.held.push(way("closeable:shop.Ticket", 100 - number, "the static field shop.Orders.cache" + number));
  }
  return visit(fileOf(held), {}, async (tab) => {
    assert.match(await tab.text("#holders caption"), /^Ticket: 1,122 open/);
    assert.match(await tab.text("#holders tbody tr"), /the static field shop\.Orders\.cache1\s*99/);
    assert.match(await tab.text("#holders summary"), /2 more/);
    await tab.picture(pictures + "holders.png", { of: "#holders" });
  });
});

test("no bar is below zero", () => {
  const untouched = report("leak");
  untouched.memory.parts.push({ part: "committed, not resident", bytes: -20 * 2 ** 20 });
  return visit(fileOf(untouched), {}, async (tab) => {
    const bars = "document.querySelectorAll('#memory table.bars tr[data-key=\"committed, not resident\"] .bar').length";
    assert.equal(await tab.ask(bars), 0);
  });
});

test("what was lost and the line that did it are seen without scrolling", () =>
  visit(fileOf(report("leak")), {}, async (tab) => {
    const card = await tab.text(".card.lost");
    assert.match(card, /lost\s*1,000 confined arenas were lost: 62\.5 MiB/);
    assert.match(card, /opened at shop\.store\.PageReader\.read\(PageReader\.java:88\)/);
    assert.ok(await tab.ask("document.querySelector('.card.lost').getBoundingClientRect().bottom < innerHeight"));
    assert.match(await tab.text(".figure.lost"), /62\.5 MiB/);
    assert.deepEqual(await tab.ask("[...document.querySelectorAll('main > section:not([hidden])')].map((one) => one.id)"), [
      "findings",
      "memory",
      "kinds",
      "sites",
      "flame",
      "handles",
      "collections",
      "finalizers",
      "loaders",
      "saved",
      "environment",
    ]);
    await tab.picture(pictures + "leak-first-look.png");
    await tab.picture(pictures + "leak-whole.png", { whole: true });
  }));

test("light and dark differ, also on canvas", () =>
  visit(fileOf(report("leak")), {}, async (tab) => {
    const drawn = "document.querySelector('canvas.flame').toDataURL()";
    const ground = "getComputedStyle(document.body).backgroundColor";
    const light = [await tab.ask(ground), await tab.ask(drawn)];
    await tab.look({ dark: true });
    await tab.until(drawn + " !== " + JSON.stringify(light[1]));
    assert.notEqual(await tab.ask(ground), light[0]);
    await tab.picture(pictures + "leak-dark-memory.png", { of: "#memory" });
  }));

test("a program in which nothing happened", () =>
  visit(fileOf(report("empty")), {}, async (tab) => {
    assert.match(await tab.text(".verdict"), /nothing lost\s*Nothing was lost, forgotten or freed late\./);
    assert.match(await tab.text(".figures"), /resident\s*–\s*not recorded/);
    assert.match(await tab.text("main > p"), /Not seen in this program: memory over time, native resources/);
    assert.equal(await tab.ask("document.querySelectorAll('.card').length"), 0);
  }));

test("packed data are the same page", () =>
  visit(fileOf(report("leak"), { packed: true }), {}, async (tab) =>
    assert.match(await tab.text(".card.lost h3"), /1,000 confined arenas/),
  ));

test("text of the program is text, whatever it looks like", () => {
  const nasty = report("leak");
  const evil = '</script><img src=x onerror="window.evil=1">{{data}}';
  nasty.target.main = evil;
  nasty.findings[0].title = evil;
  nasty.sites[0].frames[0] = evil;
  nasty.kinds[0].kind = evil;
  nasty.handles[0].type = evil;
  return visit(fileOf(nasty), {}, async (tab) => {
    assert.equal(await tab.ask("window.evil"), undefined);
    assert.equal(await tab.text("h1"), evil);
    assert.equal(await tab.ask("document.querySelectorAll('img').length"), 0);
  });
});

test("what is committed and not resident is said, before what is unexplained", () => {
  const untouched = report("leak");
  untouched.memory.parts = untouched.memory.parts.filter((part) => part.part !== "unexplained");
  untouched.memory.parts.push({ part: "committed, not resident", bytes: -20 * 2 ** 20 }, { part: "unexplained", bytes: 0 });
  return visit(fileOf(untouched), {}, async (tab) => {
    const last = "[...document.querySelectorAll('#memory table.bars tbody tr')].slice(-2).map((row) => row.dataset.key)";
    assert.deepEqual(await tab.ask(last), ["committed, not resident", "unexplained"]);
    assert.match(await tab.text("#memory"), /−20 MiB[^]*Not all of it is resident, so the unexplained part cannot be computed/);
  });
});

test("what is redacted is not missed", () => {
  const bare = report("leak");
  delete bare.target.command;
  delete bare.target.main;
  delete bare.notes;
  return visit(fileOf(bare), {}, async (tab) => {
    assert.equal(await tab.text("h1"), "a program");
    assert.doesNotMatch(await tab.text("#environment"), /command|undefined|null/);
  });
});

test("what is not known is not said", () => {
  const bare = report("empty");
  bare.target = { pid: -1, main: "unknown", command: [], jdk: "unknown", started: "", seconds: 0, level: "none", sampleEvery: 0 };
  bare.loaders = null;
  return visit(fileOf(bare), {}, async (tab) => {
    assert.match(await tab.text(".verdict"), /unknown\s*Nothing was tracked/);
    assert.doesNotMatch(await tab.text("body"), /-1|−1|unknown JDK|undefined|NaN/);
  });
});

test("data of another version are refused in a sentence", () =>
  visit(fileOf({ ...report("empty"), schema: "offcut.report/9" }), {}, async (tab) =>
    assert.match(await tab.text(".failure"), /These data are offcut\.report\/9; this page shows offcut\.report\/2/),
  ));

test("a script that is not ours does not run, and these checks see it", async () => {
  const tab = await browser.tab();
  await tab.open(
    fileOf(report("empty"), {
      change: (html) =>
        html.replace("<noscript>", '<script>window.evil = 1</script><p onclick="evil = 2" style="color: red">x</p><noscript>'),
    }),
  );
  assert.equal(await tab.ask("window.evil"), undefined);
  assert.ok((await tab.ask("seen.violations.length")) >= 2, "violations are seen");
  assert.ok(tab.complaints.length >= 2, "complaints are heard");
  await tab.close();
});

test("on paper: light, without what cannot be pressed", () =>
  visit(fileOf(report("leak")), { dark: true }, async (tab) => {
    await tab.look({ dark: true, paper: true });
    assert.equal(await tab.ask("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)");
    assert.equal(await tab.ask("getComputedStyle(document.querySelector('.bar-above')).display"), "none");
    const { data } = await tab.send("Page.printToPDF", { printBackground: true });
    assert.equal(Buffer.from(data, "base64").subarray(0, 5).toString(), "%PDF-");
  }));

test("filter, order and unfold lines", () =>
  visit(fileOf(report("big")), {}, async (tab) => {
    const rows = "document.querySelectorAll('.sites tbody').length";
    const first = "document.querySelector('.sites tbody').innerText";
    assert.equal(await tab.ask(rows), 12);
    await tab.ask("document.querySelector('#sites > div > button').click()");
    assert.equal(await tab.ask(rows), 40);
    const byLost = await tab.ask(first);
    await tab.ask(
      "(() => { const s = document.querySelector('#sites-order'); s.value = 'opened'; s.dispatchEvent(new Event('change')); })()",
    );
    assert.notEqual(await tab.ask(first), byLost);
    await tab.ask(
      "(() => { const f = document.querySelector('#sites-filter'); f.value = 'geo.tiles jna'; f.dispatchEvent(new Event('input')); })()",
    );
    const left = await tab.ask(rows);
    assert.ok(left > 0 && left < 40, left + " rows");
    await tab.ask("document.querySelector('.fold').click()");
    assert.match(await tab.text(".unfolded"), /com\.acme\.geo\.tiles[^]*Thread\.run/);
    await tab.ask("(() => { const f = document.querySelector('#sites-filter'); f.value = 'zzz'; f.dispatchEvent(new Event('input')); })()");
    assert.match(await tab.text("#sites"), /No line matches the filter/);
  }));

test("the mouse looks closer at a call, and back", () =>
  visit(fileOf(report("leak")), {}, async (tab) => {
    await tab.ask("document.documentElement.style.scrollBehavior = 'auto'; document.querySelector('#flame').scrollIntoView()");
    const box = await tab.ask("(() => { const r = document.querySelector('canvas.flame').getBoundingClientRect(); return [r.x, r.y]; })()");
    await tab.mouse("mouseMoved", box[0] + 30, box[1] + 21 * 8 + 5);
    const said = await tab.text("#flame-said");
    assert.match(said, /PageStore\.load.*61\.5 MiB/);
    const at = { button: "left", clickCount: 1 };
    await tab.mouse("mousePressed", box[0] + 30, box[1] + 21 * 8 + 5, at);
    await tab.mouse("mouseReleased", box[0] + 30, box[1] + 21 * 8 + 5, at);
    assert.equal(await tab.ask("document.querySelector('#flame button').disabled"), false);
    await tab.ask("document.querySelector('#flame button').click()");
    assert.match(await tab.text("#flame-said"), /^all/);
  }));

for (const [look, dark] of LOOKS) {
  for (const width of WIDTHS) {
    test("a fleet, " + look + ": " + width + " px wide nothing is cut off", () =>
      visit(fileOf(report("fleet"), { template: "fleet.html", packed: dark }), { width, height: 768, dark }, async (tab) => {
        assert.equal(await tab.ask("document.documentElement.scrollWidth"), width);
        assert.doesNotMatch(await tab.text("main"), /undefined|NaN|null|Infinity/);
        assert.equal(await tab.ask("document.querySelectorAll('#versions figure').length"), 3);
        assert.equal(await tab.ask("document.querySelectorAll('#hosts .multiple').length"), 24);
        await tab.picture(pictures + "fleet-" + look + "-" + width + ".png", { whole: true });
      }),
    );
  }
}

test("a fleet's tables sort and filter, by the mouse and by the keyboard", () =>
  visit(fileOf(report("fleet"), { template: "fleet.html" }), { width: 1400, height: 768 }, async (tab) => {
    const column = (at) => tab.ask("[...document.querySelectorAll('#processes tbody tr')].map((row) => row.cells[" + at + "].innerText)");
    const head = "document.querySelectorAll('#processes thead th')";
    assert.equal((await column(0)).length, 15);
    await tab.ask(head + "[7].querySelector('button').click()");
    assert.deepEqual((await column(7)).slice(0, 4), ["40", "39", "38", "0"]);
    assert.equal(await tab.ask(head + "[7].getAttribute('aria-sort')"), "descending");
    await tab.ask(head + "[7].querySelector('button').focus()");
    await tab.press("Enter");
    assert.deepEqual((await column(7)).slice(0, 2), ["0", "0"]);
    assert.equal(await tab.ask(head + "[7].getAttribute('aria-sort')"), "ascending");
    assert.equal(await tab.ask("document.activeElement === " + head + "[7].querySelector('button')"), true, "the focus stays");
    await tab.ask("document.querySelector('#processes button.quiet').click()");
    assert.equal((await column(0)).length, 20);
    assert.equal(await tab.ask("document.querySelector('#processes a').getAttribute('href')"), "offcut-Main.4000.html");

    const lines = "[...document.querySelectorAll('#lines tbody tr')].map((row) => row.cells[1].innerText)";
    await tab.ask("{ const one = document.querySelector('#service'); one.value = 'search'; one.dispatchEvent(new Event('change')); }");
    assert.deepEqual(await tab.ask(lines), ["search"]);
    assert.equal(await tab.ask("document.querySelectorAll('#versions figure').length"), 1);
    assert.match(await tab.text("#fresh"), /Nothing here matches the filter\./);
    await tab.ask("{ const one = document.querySelector('#service'); one.value = ''; one.dispatchEvent(new Event('change')); }");
    await tab.ask(
      "{ const one = document.querySelector('#filter'); one.value = 'THUMBNAILS orders'; one.dispatchEvent(new Event('input')); }",
    );
    assert.deepEqual(await tab.ask(lines), ["orders"]);
    assert.match(await tab.text("#kinds"), /Nothing here matches the filter\./);
  }));

test("an empty fleet says so, and data of another kind are refused", async () => {
  const empty = report("fleet");
  Object.keys(empty).forEach((name) => Array.isArray(empty[name]) && (empty[name] = []));
  Object.assign(empty.summary, { processes: 0, hosts: 0, services: 0, firstMs: null, lastMs: null });
  await visit(fileOf(empty, { template: "fleet.html" }), {}, async (tab) => {
    assert.match(await tab.text("#services"), /The fleet is empty\./);
    assert.doesNotMatch(await tab.text("body"), /undefined|NaN|Infinity/);
  });
  await visit(fileOf(report("leak"), { template: "fleet.html" }), {}, async (tab) => {
    assert.match(await tab.text(".failure"), /These data are offcut\.report\/1; this page shows offcut\.fleet-report\/1\./);
  });
});
