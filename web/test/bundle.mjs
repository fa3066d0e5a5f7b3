// A page as one file: what a template asks for is put into it, modules as one script. The command does the same in Java.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { fileURLToPath } from "node:url";

export const web = fileURLToPath(new URL("..", import.meta.url));

const read = (name) => readFileSync(join(web, name), "utf8");

const NAMED = /^import \{ (.+) \} from "(\.[^"]+)";$/;
const DEFAULT = /^import (\w+) from "(\.[^"]+)";$/;
const EXPORT = /^export ((?:async )?(?:function|const|class) (\w+).*)$/;
const EXPORT_DEFAULT = /^export \{ (\w+) as default \};$/;

/** A module as a function that returns its exports: {text, imports}. */
export function wrapped(name, source) {
  const imports = [];
  const names = [];
  const imported = (path) => {
    imports.push(join(dirname(name), path));
    return 'modules["' + imports.at(-1) + '"]';
  };
  let comment = false;
  const lines = source
    .trimEnd()
    .split("\n")
    .map((line) => {
      let found;
      if (comment || line.startsWith("/*")) {
        comment = !line.includes("*/");
      } else if ((found = NAMED.exec(line))) {
        return "const { " + found[1] + " } = " + imported(found[2]) + ";";
      } else if ((found = DEFAULT.exec(line))) {
        return "const " + found[1] + " = " + imported(found[2]) + ".default;";
      } else if ((found = EXPORT.exec(line))) {
        names.push(found[2]);
        return found[1];
      } else if ((found = EXPORT_DEFAULT.exec(line))) {
        names.push("default: " + found[1]);
        return "";
      } else if (/^(import|export)\b/.test(line)) {
        throw new Error(name + ": a form that cannot be put into one file: " + line);
      }
      return line;
    });
  const text = 'modules["' + name + '"] = (() => {\n' + lines.join("\n") + "\nreturn { " + names.join(", ") + " };\n})();\n";
  return { text, imports };
}

/** The script of an entry and of all it imports, each after what it imports. */
export function bundle(entry) {
  const seen = new Set();
  const texts = [];
  const visit = (name) => {
    if (!seen.has(name)) {
      seen.add(name);
      const { text, imports } = wrapped(name, read(name));
      imports.forEach(visit);
      texts.push(text);
    }
  };
  visit(entry);
  return '(() => {\n"use strict";\nconst modules = {};\n' + texts.join("") + "})();\n";
}

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
const hash = (text) => "'sha256-" + createHash("sha256").update(text).digest("base64") + "'";

/** A template filled in. `data`: what stands in its data block, JSON or packed JSON as text. */
export function page(template, { title, text = "", data }) {
  const values = { title: escaped(title), text: escaped(text), data: data.replaceAll("<", "\\u003c") };
  const source = read(template);
  const asked = (word) => new RegExp("\\{\\{" + word + " ([^}]+)\\}\\}").exec(source)[1];
  values.style = asked("style").split(" ").map(read).join("\n");
  values.script = bundle(asked("script"));
  values.csp =
    "default-src 'none'; script-src " +
    hash(values.script) +
    "; style-src " +
    hash(values.style) +
    "; img-src data:; base-uri 'none'; form-action 'none'";
  return source.replace(/\{\{(\w+)[^}]*\}\}/g, (_, word) => values[word]);
}
