// The lines that opened native resources, with their stacks.

import { h, inUse, show } from "../library/dom.js";
import { badge, bar, frameAbove, stack } from "../library/parts.js";
import { MEASURES, measure, rank, siteKey, telling } from "../library/ranking.js";
import { aboutText, bytesText, countText, isCloseable, kindName, nounText, ownFrame } from "../library/text.js";

const FIRST = 12;

export const sites = {
  id: "sites",
  title: "By line",
  absent: "opening lines",
  seen: (report) => Boolean(report.sites?.length),
  make(body) {
    const section = new Sites(body);
    return (report) => section.update(report);
  },
};

class Sites {
  #lead = h("p", { class: "hint" });
  #filter = h("input", {
    type: "search",
    id: "sites-filter",
    placeholder: "class, method or kind",
    autocomplete: "off",
    spellcheck: "false",
  });
  #order = h(
    "select",
    { id: "sites-order" },
    MEASURES.map((each) => h("option", { value: each.name }, each.label)),
  );
  #list = h("div");
  #filled = h("div");
  #all = h("button", { type: "button", class: "quiet" });

  #sites = [];
  #chosen = false; // by the reader: then new data do not choose another order
  #everything = false;
  #keys = []; // of the rows as they stand
  #unfolded = new Set();

  constructor(body) {
    const filter = h("label", { for: "sites-filter" }, "Filter");
    const order = h("label", { for: "sites-order" }, "Order by");
    const form = h("form", { class: "controls", role: "search" }, filter, this.#filter, order, this.#order);
    body.append(this.#lead, form, this.#list, this.#all, this.#filled);
    form.addEventListener("submit", (event) => event.preventDefault());
    this.#filter.addEventListener("input", () => this.#draw([]));
    this.#order.addEventListener("change", () => {
      this.#chosen = true;
      this.#draw([]);
    });
    this.#all.addEventListener("click", () => {
      this.#everything = !this.#everything;
      this.#draw([]);
    });
    this.#list.addEventListener("click", (event) => this.#fold(event.target.closest("button[data-site]")));
  }

  update(report) {
    this.#sites = report.sites;
    if (!this.#chosen) {
      this.#order.value = telling(this.#sites, ["lostBytes", "bytes", "lost", "collected", "opened"]);
    }
    this.#draw(inUse(this.#list) ? this.#keys : []);
    show(this.#filled, filledList(report.filled ?? []));
  }

  #fold(button) {
    if (button) {
      const key = this.#keys[Number(button.dataset.site)];
      if (!this.#unfolded.delete(key)) {
        this.#unfolded.add(key);
      }
      this.#draw(this.#keys);
    }
  }

  /** `held`: the keys of rows that keep their places. */
  #draw(held) {
    const by = this.#order.value;
    const rows = rank(this.#sites, by, this.#filter.value, held);
    const shown = this.#everything ? rows : rows.slice(0, FIRST);
    this.#keys = shown.map(siteKey);
    const most = Math.max(1, ...rows.map(measure(by).value));
    show(this.#lead, nounText(this.#sites.length, "line"), this.#sites.every((site) => site.exact) ? ", exact." : ABOUT);
    show(this.#list, rows.length ? siteTable(shown, most, by, this.#unfolded) : h("p", null, "No line matches the filter."));
    this.#all.hidden = rows.length <= FIRST;
    this.#all.textContent = this.#everything ? "Show the first " + FIRST : "Show all " + rows.length;
  }
}

const ABOUT = ". ≈ marks estimates: only some stacks were recorded. Counts by kind are exact, except those of native blocks.";

function siteTable(rows, most, by, unfolded) {
  const numbers = ["opened", "freed late", "open", "lost"];
  return h(
    "div",
    { class: "scroll", role: "region", "aria-label": "Lines", tabindex: "0" },
    h(
      "table",
      { class: "sites" },
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("th", { scope: "col" }, "line"),
          numbers.map((name) => h("th", { scope: "col", class: "number" }, name)),
        ),
      ),
      rows.map((site, index) => siteRows(site, index, measure(by).value(site) / most, unfolded.has(siteKey(site)))),
    ),
  );
}

function siteRows(site, index, share, open) {
  const lost = site.lost > 0;
  return h(
    "tbody",
    { "data-key": siteKey(site) },
    h(
      "tr",
      null,
      h(
        "th",
        { scope: "row" },
        h(
          "button",
          { type: "button", class: "fold", "data-site": index, "aria-expanded": String(open) },
          frameAbove(ownFrame(site), h("span", { class: "kind" }, kindName(site.kind)), lost ? badge("lost") : null),
        ),
        bar(share, lost ? "fill lost" : "fill"),
      ),
      amount(site, "opened"),
      amount(site, "collected", null, "late"),
      amount(site, "open", "bytes"),
      amount(site, "lost", "lostBytes", "lost"),
    ),
    open ? h("tr", { class: "unfolded" }, h("td", { colspan: "5" }, stack(site.frames), samplesNote(site))) : null,
  );
}

/** A count, and below it its bytes; a zero stays quiet. */
function amount(site, counted, bytes, mark) {
  const some = site[counted] > 0; // an estimate of what is open can fall below zero: then it is about none
  return h(
    "td",
    { class: some && mark ? "number strong-" + mark : some ? "number" : "number soft" },
    aboutText(countText(Math.max(0, site[counted])), site.exact || !some),
    some && bytes && !isCloseable(site.kind) ? h("span", { class: "below" }, aboutText(bytesText(Math.max(0, site[bytes])), site.exact)) : null,
  );
}

/** Lines that allocated from arenas, which other lines may have opened. */
function filledList(filled) {
  return filled.length
    ? [
        h("p", { class: "hint" }, "Arenas were filled at:"),
        filled.slice(0, FIRST).map((each) =>
          h(
            "details",
            null,
            h("summary", null, frameAbove(ownFrame(each), h("span", { class: "kind" }, kindName(each.kind))), " ", aboutText(bytesText(each.bytes + each.lostBytes))),
            stack(each.frames),
          ),
        ),
      ]
    : null;
}

function samplesNote(site) {
  return site.exact
    ? null
    : h("p", { class: "hint" }, "From " + nounText(site.samples, "stack") + " that " + (site.samples === 1 ? "was" : "were") + " kept.");
}
