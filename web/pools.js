// Pools of native memory, their owners, and how near each is to its limit.

import { h, show } from "./dom.js";
import { bar, table } from "./parts.js";
import { bytesText, percentText } from "./text.js";

export const pools = {
  id: "pools",
  title: "Pools",
  absent: "pools",
  seen: (report) => Boolean(report.pools?.length),
  make: (body) => (report) => show(body, report.pools.map(pool)),
};

const bytes = (field, name, means) => ({
  name,
  means,
  number: true,
  text: (row) => (row[field] === undefined ? "–" : bytesText(row[field])),
});

const OWNERS = [
  { name: "owner", text: (row) => row.owner },
  bytes("committed", "committed", "backed by pages"),
  bytes("handedOut", "handed out", "in chunks"),
  bytes("used", "used", "in blocks"),
];

function pool(one) {
  const limit = one.limit > 0 ? one.limit : null;
  const facts = [
    ["limit", limit],
    ["reserved", one.reserved],
    ["committed", one.committed],
    ["handed out", one.handedOut],
    ["used", one.used],
  ];
  return h(
    "div",
    { "data-key": one.pool },
    h("h3", null, one.pool),
    h(
      "dl",
      { class: "facts" },
      facts.map(([name, value]) =>
        h("div", null, h("dt", null, name), h("dd", null, value === null ? "none" : value === undefined ? "–" : bytesText(value))),
      ),
    ),
    limit
      ? h(
          "p",
          { class: "gauge" },
          bar(one.committed / limit, one.committed > 0.9 * limit ? "fill lost" : "fill"),
          percentText(one.committed, limit) + " of the limit is committed",
        )
      : null,
    one.owners?.length ? table("Owners of " + one.pool, OWNERS, one.owners, (row) => row.owner) : null,
  );
}
