// The lines that opened native resources, with their stacks.

import { h, inUse, show } from "./dom.js";
import { badge, bar, frame, stack } from "./parts.js";
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
  const numbers = ["opened", "collected", "lost", "open", "open bytes", "lost bytes"];
  return h("div", { class: "scroll", role: "region", "aria-label": "Lines", tabindex: "0" },
    h("table", { class: "sites" },
      h("thead", null, h("tr", null, h("th", { scope: "col" }, "line"), numbers.map((name) => h("th", { scope: "col", class: "number" }, name)))),
      rows.map((site, index) => siteRows(site, index, measure(by).value(site) / most, unfolded.has(siteKey(site))))));
}

function siteRows(site, index, share, open) {
  const number = (text, strong) => h("td", { class: strong ? "number strong-" + strong : "number" }, text);
  const about = (count) => aboutText(countText(count), site.exact || !count);
  const aboutBytes = (bytes) => aboutText(bytesText(bytes), site.exact || !bytes);
  return h("tbody", { "data-key": siteKey(site) },
    h("tr", null,
      h("th", { scope: "row" },
        h("button", { type: "button", class: "fold", "data-site": index, "aria-expanded": String(open) }, frame(ownFrame(site.frames))),
        h("div", { class: "under" }, site.lost > 0 ? badge("lost") : null, h("span", null, kindName(site.kind)), bar(share, site.lost > 0 ? "fill lost" : "fill"))),
      number(about(site.opened)), number(about(site.collected), site.collected > 0 && "late"), number(about(site.lost), site.lost > 0 && "lost"),
      number(about(site.open)), number(aboutBytes(site.bytes)), number(aboutBytes(site.lostBytes), site.lostBytes > 0 && "lost")),
    open ? h("tr", { class: "unfolded" }, h("td", { colspan: "7" }, stack(site.frames), samplesNote(site))) : null);
}

function samplesNote(site) {
  return site.exact ? null : h("p", { class: "hint" }, "From " + nounText(site.samples, "stack") + " that " + (site.samples === 1 ? "was" : "were") + " kept.");
}
