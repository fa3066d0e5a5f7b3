import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Script } from "node:vm";
import { bundle, page, web, wrapped } from "./bundle.mjs";

const modules = readdirSync(web).filter((name) => name.endsWith(".js"));
const read = (name) => readFileSync(join(web, name), "utf8");

test("each entry becomes one script that compiles, with nothing in it that would end it", () => {
  for (const template of readdirSync(web).filter((name) => name.endsWith(".html") && read(name).includes("{{script "))) {
    const text = bundle(/\{\{script ([^}]+)\}\}/.exec(read(template))[1]);
    new Script(text);
    assert.doesNotMatch(text, /<\/script|<!--/i, template);
    assert.doesNotMatch(text.replace(/\/\*[^]*?\*\//g, ""), /^(import|export)\b/m, template);
  }
});

test("a module stands after those it imports, once", () => {
  const text = bundle("page.js");
  const order = [...text.matchAll(/^modules\["(.+?)"\] = /gm)].map((found) => found[1]);
  assert.equal(new Set(order).size, order.length);
  assert.equal(order.at(-1), "page.js");
  for (const name of order) {
    for (const imported of wrapped(name, read(name)).imports) {
      assert.ok(order.indexOf(imported) < order.indexOf(name), name + " before " + imported);
    }
  }
});

test("every module is used by an entry", () => {
  const used = ["page.js", "results.js"]
    .filter((name) => modules.includes(name))
    .map(bundle)
    .join();
  modules.forEach((name) => assert.ok(used.includes('modules["' + name + '"] = '), name));
});

test("what an importer names is exported", () => {
  for (const name of modules) {
    for (const [, names, from] of read(name).matchAll(/^import \{ (.+) \} from "\.\/(.+)";$/gm)) {
      const exported = [...read(from).matchAll(/^export (?:async )?(?:function|const|class) (\w+)/gm)].map((found) => found[1]);
      names.split(", ").forEach((each) => assert.ok(exported.includes(each), name + " imports " + each + " from " + from));
    }
  }
});

test("forms that cannot be put into one file are refused", () => {
  assert.throws(() => wrapped("a.js", 'import * as b from "./b.js";'), /a\.js: a form/);
  assert.throws(() => wrapped("a.js", "export default 3;"), /a\.js: a form/);
  assert.equal(
    wrapped("a.js", "/*\nexport default 3;\n*/\nexport const b = 1;").text,
    'modules["a.js"] = (() => {\n/*\nexport default 3;\n*/\nconst b = 1;\nreturn { b };\n})();\n',
  );
});

test("the policy names the hashes of what stands between the tags", () => {
  const html = page("report.html", { title: "a <b>", data: '{"x":"</script>"}' });
  for (const tag of ["script", "style"]) {
    const [, text] = new RegExp("<" + tag + ">([^]*?)</" + tag + ">").exec(html);
    assert.ok(html.includes(tag + "-src 'sha256-" + createHash("sha256").update(text).digest("base64") + "'"), tag);
  }
  assert.ok(html.includes("<title>a &lt;b&gt;</title>"));
  assert.ok(html.includes('{"x":"\\u003c/script>"}'));
  assert.doesNotMatch(html.replace(/<script>[^]*<\/script>/, ""), /\{\{/);
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
