import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { dirname, join as joinUrl } from "node:path/posix";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const web = fileURLToPath(new URL("..", import.meta.url));
const modules = readdirSync(web, { recursive: true }).filter((name) => name.endsWith(".js") && !name.startsWith("vendor"));
const read = (name) => readFileSync(join(web, name), "utf8");

/** The modules that one imports: [what it takes from it, its name]. */
function imports(name) {
  return [...read(name).matchAll(/^import (.+) from "(\..+)";$/gm)].map(([, what, from]) => [what, joinUrl(dirname(name), from)]);
}

test("modules keep to the forms that the command can put into one file", () => {
  const form = /^(import (\{ .+ \}|\w+) from "\.[^"]+";|export (async )?(function|const|class) \w+.*)$/;
  for (const name of modules) {
    for (const [line] of read(name).matchAll(/^(import|export)\b.*$/gm)) {
      assert.match(line, form, name);
    }
  }
});

test("every module is reached from a page", () => {
  const reached = new Set();
  const reach = (name) => {
    if (!reached.has(name)) {
      reached.add(name);
      imports(name).forEach(([, from]) => reach(from));
    }
  };
  ["page.js", "fleet.js"].forEach(reach);
  modules.forEach((name) => assert.ok(reached.has(name), name));
});

test("a section imports no other page, and the library no section", () => {
  const layer = (name) => ["vendor", "library", "sections"].indexOf(dirname(name).split("/")[0]);
  for (const name of modules.filter((each) => each.includes("/"))) {
    imports(name).forEach(([, from]) => assert.ok(layer(from) >= 0 && layer(from) <= layer(name), name + " imports " + from));
  }
});

test("what an importer names is exported", () => {
  for (const name of modules) {
    for (const [what, from] of imports(name).filter(([, each]) => !each.startsWith("vendor"))) {
      const exported = [...read(from).matchAll(/^export (?:async )?(?:function|const|class) (\w+)/gm)].map((found) => found[1]);
      what
        .slice(2, -2)
        .split(", ")
        .forEach((each) => assert.ok(exported.includes(each), name + " imports " + each + " from " + from));
    }
  }
});

test("no source has what the policy forbids", () => {
  for (const name of [...modules, ...readdirSync(web).filter((file) => file.endsWith(".html"))]) {
    assert.doesNotMatch(
      read(name),
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|\sstyle="|\son[a-z]+="|setAttribute\("style"|https?:\/\/(?!www\.w3\.org\/2000\/svg)/,
      name,
    );
  }
});

test("what is vendored is what its note says", () => {
  const lines = [...read("vendor/uplot/README.md").matchAll(/^([0-9a-f]{64}) {2}(\S+)$/gm)];
  assert.equal(lines.length, 3);
  for (const [, hash, name] of lines) {
    assert.equal(
      createHash("sha256")
        .update(readFileSync(join(web, "vendor/uplot", name)))
        .digest("hex"),
      hash,
      name,
    );
  }
});
