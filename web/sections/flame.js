// The flame graph: native memory by call stack, as an icicle on canvas, and the same as a table.

import { h, show } from "../library/dom.js";
import { pathTo, rowsOf, sameNode, treeOf } from "../library/frametree.js";
import { Icicle } from "./icicle.js";
import { onColours } from "../library/palette.js";
import { MEASURES, measure, telling } from "../library/ranking.js";
import { bytesText, countText, kindName, percentText } from "../library/text.js";

const TABLE_SHARE = 0.01; // rows of the table: what is less than one in a hundred is not worth a line

export const flame = {
  id: "flame",
  title: "By call stack",
  absent: "call stacks",
  seen: (report) => Boolean(report.sites?.length),
  make(body) {
    const graph = new Flame(body);
    return (report) => graph.update(report);
  },
};

class Flame {
  #by = h(
    "select",
    { id: "flame-by" },
    MEASURES.map((each) => h("option", { value: each.name }, each.label)),
  );
  #from = h(
    "select",
    { id: "flame-from" },
    h("option", { value: "outer" }, "the start of the thread"),
    h("option", { value: "inner" }, "the opening line"),
  );
  #back = h("button", { type: "button", class: "quiet" }, "Whole graph");
  #canvas = h("canvas", { class: "flame", tabindex: "0", role: "img", "aria-describedby": "flame-said flame-keys" });
  #said = h("output", { class: "said", id: "flame-said" });
  #rows = h("tbody");
  #table = tableOf(this.#rows);
  #icicle = new Icicle(this.#canvas, (value) => this.#amount(value));

  #sites = [];
  #chosen = false; // by the reader: then new data do not choose another measure
  #root = null;
  #focus = null;
  #selected = null;

  constructor(body) {
    const form = h(
      "form",
      { class: "controls" },
      h("label", { for: "flame-by" }, "Width is"),
      this.#by,
      h("label", { for: "flame-from" }, "from the top:"),
      this.#from,
      this.#back,
    );
    const keys = "Click a call to zoom in. Keyboard: arrows move, Enter zooms in, Escape zooms out.";
    body.append(form, h("p", { class: "hint", id: "flame-keys" }, keys), this.#canvas, this.#said, this.#table);
    form.addEventListener("submit", (event) => event.preventDefault());
    this.#listen();
  }

  #listen() {
    this.#by.addEventListener("change", () => {
      this.#chosen = true;
      this.#build();
    });
    this.#from.addEventListener("change", () => {
      this.#focus = this.#selected = null;
      this.#build();
    });
    this.#back.addEventListener("click", () => this.#look(this.#root));
    this.#table.addEventListener("toggle", () => this.#fillTable());
    this.#canvas.addEventListener("pointermove", (event) => this.#select(this.#at(event)));
    this.#canvas.addEventListener("pointerleave", () => this.#select(document.activeElement === this.#canvas ? this.#selected : null));
    this.#canvas.addEventListener("click", (event) => this.#look(this.#at(event) ?? this.#focus));
    this.#canvas.addEventListener("keydown", (event) => this.#onKey(event));
    window.addEventListener("resize", () => this.#show());
    onColours(() => this.#show());
  }

  update(report) {
    this.#sites = report.sites;
    if (!this.#chosen) {
      this.#by.value = telling(this.#sites, ["held", "open", "lost", "opened"]);
    }
    this.#build();
  }

  /** A new tree; the reader stays where she was in the old one. */
  #build() {
    const paths = [this.#focus, this.#selected].map((node) => (node ? pathTo(node) : null));
    this.#root = treeOf(this.#sites, measure(this.#by.value).value, this.#from.value === "inner");
    const [focus, selected] = paths.map((path) => (path ? sameNode(this.#root, path) : null));
    this.#focus = focus ?? this.#root;
    this.#selected = selected;
    this.#icicle.look(this.#focus);
    this.#show();
    this.#fillTable();
  }

  #look(node) {
    this.#focus = this.#selected = node;
    this.#icicle.look(node);
    this.#show();
  }

  #at(event) {
    return this.#icicle.at(event.offsetX, event.offsetY);
  }

  #select(node) {
    if (node !== this.#selected) {
      this.#selected = node;
      this.#show();
    }
  }

  #onKey(event) {
    const node = this.#selected ?? this.#focus;
    if (event.key === "Enter" || event.key === " ") {
      this.#look(node);
    } else if (event.key === "Escape") {
      this.#look(this.#focus.parent ?? this.#root);
    } else if (!this.#step(node, event.key)) {
      return;
    }
    event.preventDefault();
  }

  /** Whether the key was one that moves. */
  #step(node, key) {
    const siblings = node.parent?.children ?? [node];
    const place = siblings.indexOf(node);
    const moves = {
      ArrowDown: node.children[0],
      ArrowUp: node.parent,
      ArrowLeft: siblings[place - 1],
      ArrowRight: siblings[place + 1],
      Home: this.#root,
    };
    if (moves[key] && this.#icicle.shows(moves[key])) {
      this.#select(moves[key]);
    }
    return key in moves;
  }

  #amount(value) {
    const { bytes, label } = measure(this.#by.value);
    return bytes ? bytesText(value) : countText(value) + " " + label;
  }

  #show() {
    const node = this.#selected ?? this.#focus;
    this.#icicle.draw(this.#selected);
    this.#said.textContent = nameOf(node) + ": " + this.#amount(node.value) + ", " + percentText(node.value, this.#root.value);
    this.#back.disabled = this.#focus === this.#root;
    const all = this.#amount(this.#root.value) + " " + measure(this.#by.value).label;
    this.#canvas.setAttribute("aria-label", "Flame graph, " + all + " in all");
  }

  #fillTable() {
    if (this.#table.open && this.#root) {
      show(
        this.#rows,
        rowsOf(this.#root, TABLE_SHARE).map((row) => this.#row(row)),
      );
    }
  }

  #row({ node, depth }) {
    return h(
      "tr",
      {
        "data-key": pathTo(node)
          .map((each) => each.name)
          .join("\n"),
      },
      h("th", { scope: "row" }, "\u2002".repeat(depth), nameOf(node)),
      h("td", { class: "number" }, this.#amount(node.value)),
      h("td", { class: "number soft" }, percentText(node.value, this.#root.value)),
    );
  }
}

function nameOf(node) {
  return node.kind ? kindName(node.kind) : node.name;
}

function tableOf(rows) {
  const head = ["call", "amount", "share"].map((name, at) => h("th", { scope: "col", class: at ? "number" : null }, name));
  const caption = h("caption", null, "Calls below one percent are left out");
  const table = h("table", { class: "tree" }, caption, h("thead", null, h("tr", null, head)), rows);
  const scroll = h("div", { class: "scroll", role: "region", "aria-label": "Call stacks", tabindex: "0" }, table);
  return h("details", null, h("summary", null, "As a table"), scroll);
}
