// The lines that opened native resources, with their stacks.

import { h, inUse, show } from "./dom.js";
import { badge, bar, frameAbove, stack } from "./parts.js";
import { MEASURES, measure, rank, siteKey, telling } from "./ranking.js";
import { aboutText, bytesText, countText, kindName, nounText, ownFrame } from "./text.js";

const FIRST = 12;

export const sites = {
  id: "sites",
  title: "By line",
  absent: "opening lines",
  seen: (report) => Boolean(report.sites?.length),
  make: makeSites,
};

function makeSites(body) {
  const lead = h("p", { class: "hint" });
  const filter = h("input", { type: "search", id: "sites-filter", placeholder: "class, method or kind", autocomplete: "off", spellcheck: "false" });
  const order = h("select", { id: "sites-order" }, MEASURES.map((each) => h("option", { value: each.name }, each.label)));
  const form = h("form", { class: "controls", role: "search" },
    h("label", { for: "sites-filter" }, "Filter"), filter, h("label", { for: "sites-order" }, "Order by"), order);
  const list = h("div");
  const all = h("button", { type: "button", class: "quiet" });
  body.append(lead, form, list, all);

  let report = null;
  let chosen = false;
  let everything = false;
  let keys = [];
  const unfolded = new Set();

  form.addEventListener("submit", (event) => event.preventDefault());
  filter.addEventListener("input", () => draw([]));
  order.addEventListener("change", () => {
    chosen = true;
    draw([]);
  });
  all.addEventListener("click", () => {
    everything = !everything;
    draw([]);
  });
  list.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-site]");
    if (button) {
      const key = keys[Number(button.dataset.site)];
      if (!unfolded.delete(key)) {
        unfolded.add(key);
      }
      draw(keys);
    }
  });

  /** `held`: the keys of rows that keep their places. */
  function draw(held) {
    const rows = rank(report.sites, order.value, filter.value, held);
    const shown = everything ? rows : rows.slice(0, FIRST);
    keys = shown.map(siteKey);
    const most = Math.max(1, ...rows.map(measure(order.value).value));
    const exact = report.sites.every((site) => site.exact);
    show(lead, nounText(report.sites.length, "line"), exact ? ", exact." : ". ≈: estimated from the openings whose stack was kept; counts by kind are exact.");
    show(list, rows.length ? siteTable(shown, most, order.value, unfolded) : h("p", null, "No line matches the filter."));
    all.hidden = rows.length <= FIRST;
    all.textContent = everything ? "Show the first " + FIRST : "Show all " + rows.length;
  }

  return (next) => {
    report = next;
    if (!chosen) {
      order.value = telling(report.sites, ["lostBytes", "bytes", "lost", "collected", "opened"]);
    }
    draw(inUse(list) ? keys : []);
  };
}

function siteTable(rows, most, by, unfolded) {
  const numbers = ["opened", "freed late", "open", "lost"];
  return h("div", { class: "scroll", role: "region", "aria-label": "Lines", tabindex: "0" },
    h("table", { class: "sites" },
      h("thead", null, h("tr", null, h("th", { scope: "col" }, "line"), numbers.map((name) => h("th", { scope: "col", class: "number" }, name)))),
      rows.map((site, index) => siteRows(site, index, measure(by).value(site) / most, unfolded.has(siteKey(site))))));
}

function siteRows(site, index, share, open) {
  const lost = site.lost > 0;
  return h("tbody", { "data-key": siteKey(site) },
    h("tr", null,
      h("th", { scope: "row" },
        h("button", { type: "button", class: "fold", "data-site": index, "aria-expanded": String(open) },
          frameAbove(ownFrame(site.frames), h("span", { class: "kind" }, kindName(site.kind)), lost ? badge("lost") : null)),
        bar(share, lost ? "fill lost" : "fill")),
      amount(site, "opened"), amount(site, "collected", null, "late"), amount(site, "open", "bytes"), amount(site, "lost", "lostBytes", "lost")),
    open ? h("tr", { class: "unfolded" }, h("td", { colspan: "5" }, stack(site.frames), samplesNote(site))) : null);
}

/** A count, and below it its bytes; a zero stays quiet. */
function amount(site, counted, bytes, mark) {
  const some = site[counted] > 0; // an estimate of what is open can fall below zero: then it is about none
  return h("td", { class: some && mark ? "number strong-" + mark : some ? "number" : "number soft" },
    aboutText(countText(Math.max(0, site[counted])), site.exact || !some),
    some && bytes ? h("span", { class: "below" }, aboutText(bytesText(Math.max(0, site[bytes])), site.exact)) : null);
}

function samplesNote(site) {
  return site.exact ? null : h("p", { class: "hint" }, "From " + nounText(site.samples, "stack") + " that " + (site.samples === 1 ? "was" : "were") + " kept.");
}
