// Sites in an order, filtered. Plain functions, no page needed.

/** What sites can be ranked and drawn by: [{name, label, value: site → number, bytes: whether it is bytes}]. */
export const MEASURES = [
  { name: "lostBytes", label: "lost bytes", value: (site) => site.lostBytes, bytes: true },
  { name: "bytes", label: "open bytes", value: (site) => site.bytes, bytes: true },
  { name: "held", label: "open and lost bytes", value: (site) => Math.max(0, site.bytes) + site.lostBytes, bytes: true },
  { name: "lost", label: "lost", value: (site) => site.lost, bytes: false },
  { name: "open", label: "open", value: (site) => site.open, bytes: false },
  { name: "collected", label: "collected", value: (site) => site.collected, bytes: false },
  { name: "opened", label: "opened", value: (site) => site.opened, bytes: false },
];

export function measure(name) {
  return MEASURES.find((each) => each.name === name) ?? MEASURES[0];
}

/** The first measure by which there is anything to see: what is lost before what is open. */
export function telling(sites, names) {
  return names.find((name) => (sites ?? []).some((site) => measure(name).value(site) > 0)) ?? names[0];
}

export function siteKey(site) {
  return site.kind + "\n" + site.frames.join("\n");
}

/** Whether every word of the filter is in the kind or in a frame. */
export function matches(site, filter) {
  const text = siteKey(site).toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/**
 * Sites from the most to the least; ties by lost, then open bytes. Those in `held`, a list of keys, come first and in that order: a
 * reader is looking at them.
 */
export function rank(sites, by, filter = "", held = []) {
  const { value } = measure(by);
  const places = new Map(held.map((key, place) => [key, place]));
  const place = (site) => places.get(siteKey(site)) ?? held.length;
  return (sites ?? [])
    .filter((site) => matches(site, filter))
    .sort((a, b) => place(a) - place(b) || value(b) - value(a) || b.lostBytes - a.lostBytes || b.bytes - a.bytes || b.opened - a.opened);
}
