// Every text colour against every ground that it stands on, light and dark: 4.5 to 1 at least (WCAG 2, AA).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const css = readFileSync(new URL("../page.css", import.meta.url), "utf8");
const [light, dark] = [...css.matchAll(/:root[^{]*\{([^}]*)\}/g)].map((found) =>
  Object.fromEntries([...found[1].matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map((each) => [each[1], each[2]])),
);

const SEVERITIES = ["lost", "forgotten", "late", "cost", "note", "good"];
const PAIRS = [
  ...["text", "soft", "link", ...SEVERITIES].map((name) => [name, "page"]),
  ["text", "raised"],
  ["soft", "raised"],
  ...SEVERITIES.flatMap((name) => [
    [name, name + "-ground"],
    ["text", name + "-ground"],
    ["soft", name + "-ground"],
  ]),
  ["page", "lost"],
  ...["flame-all", "flame-odd", "flame-even", "flame-foreign"].map((name) => ["text", name]),
];

function luminance(colour) {
  const [red, green, blue] = [1, 3, 5]
    .map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a, b) {
  const [more, less] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (more + 0.05) / (less + 0.05);
}

for (const [name, colours] of Object.entries({ light, dark: { ...light, ...dark } })) {
  test("enough contrast, " + name, () => {
    const poor = PAIRS.map(([front, ground]) => [front + " on " + ground, contrast(colours[front], colours[ground])]).filter(
      ([, found]) => !(found >= 4.5),
    );
    assert.deepEqual(poor, []);
  });
}
