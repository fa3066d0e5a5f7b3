import assert from "node:assert/strict";
import { test } from "node:test";
import { boxesOf, depthOf, pathTo, rowsOf, sameNode, treeOf } from "../library/frametree.js";

const sites = [
  { kind: "jna", frames: ["inner1", "mid", "main"], bytes: 30 },
  { kind: "unsafe", frames: ["inner2", "mid", "main"], bytes: 10 },
  { kind: "jna", frames: ["inner2", "other", "main"], bytes: 60 },
  { kind: "jna", frames: ["nothing"], bytes: 0 },
];
const tree = (inner) => treeOf(sites, (site) => site.bytes, inner);
const names = (node) => node.children.map((child) => child.name + "=" + child.value);

/** What holds for every tree: a node is at least the sum of its children. */
function verify(node) {
  assert.ok(node.value >= node.children.reduce((sum, child) => sum + child.value, 0), node.name);
  node.children.forEach(verify);
}

test("from the outermost frame, the kind at the end", () => {
  const root = tree(false);
  verify(root);
  assert.equal(root.value, 100);
  assert.deepEqual(names(root), ["main=100"]);
  assert.deepEqual(names(root.children[0]), ["other=60", "mid=40"]);
  assert.equal(root.children[0].children[0].children[0].children[0].kind, "jna");
});

test("from the kind and the innermost frame", () => {
  const root = tree(true);
  verify(root);
  assert.deepEqual(names(root), ["jna=90", "unsafe=10"]);
  assert.deepEqual(names(root.children[0]), ["inner2=60", "inner1=30"]);
});

test("boxes fill the width; a node alone has its parents above it", () => {
  const root = tree(false);
  const boxes = boxesOf(root, 0);
  assert.deepEqual(
    boxes.find((box) => box.node.name === "mid"),
    { node: root.children[0].children[1], depth: 2, from: 0.6, to: 1 },
  );
  assert.equal(depthOf(boxes), 5);
  const mid = root.children[0].children[1];
  assert.deepEqual(
    boxesOf(mid, 0)
      .slice(0, 3)
      .map((box) => [box.node.name, box.depth, box.from, box.to]),
    [
      ["all", 0, 0, 1],
      ["main", 1, 0, 1],
      ["mid", 2, 0, 1],
    ],
  );
  assert.ok(!boxesOf(root, 0.5).some((box) => box.node.name === "mid"), "what is too narrow is left out");
});

test("a reader stays where she was, or as near as can be", () => {
  const path = pathTo(tree(false).children[0].children[1]);
  assert.equal(sameNode(tree(false), path).name, "mid");
  assert.equal(
    sameNode(
      treeOf(sites.slice(2), (site) => site.bytes, false),
      path,
    ).name,
    "main",
  );
});

test("rows for the table, without crumbs", () => {
  assert.deepEqual(
    rowsOf(tree(false), 0.5).map(({ node, depth }) => node.name + depth),
    ["all0", "main1", "other2", "inner23", "jna4"],
  );
});

test("nothing to draw", () => {
  assert.deepEqual(treeOf([], () => 1, false).children, []);
  assert.equal(
    boxesOf(
      treeOf([], () => 1, false),
      0,
    ).length,
    1,
  );
});
