// Stacks merged into a tree, and the boxes it is drawn as. Plain functions, no page needed.

/**
 * The tree of all sites by a measure: {name, value, kind, children}, children from the most to the least. Its root is all of it. With
 * `inner`, the first frames below the root are the innermost, where memory was opened, and callers hang from them; else the outermost,
 * and the kind of memory hangs from the innermost.
 */
export function treeOf(sites, value, inner) {
  const root = { name: "all", value: 0, kind: null, children: new Map() };
  for (const site of sites ?? []) {
    for (const path of site.paths ?? [site]) {
      const amount = value(path);
      if (amount > 0) {
        add(root, inner ? path.frames : [...path.frames].reverse(), amount, site.kind, inner);
      }
    }
  }
  return settled(root, null);
}

function add(root, frames, amount, kind, inner) {
  const steps = frames.map((name) => ({ name, kind: null }));
  steps.splice(inner ? 0 : steps.length, 0, { name: kind, kind });
  let at = root;
  at.value += amount;
  for (const step of steps) {
    const key = (step.kind ? "kind " : "frame ") + step.name;
    if (!at.children.has(key)) {
      at.children.set(key, { ...step, value: 0, children: new Map() });
    }
    at = at.children.get(key);
    at.value += amount;
  }
}

function settled(node, parent) {
  const one = { name: node.name, kind: node.kind, value: node.value, parent, children: [] };
  one.children = [...node.children.values()]
    .map((child) => settled(child, one))
    .sort((a, b) => b.value - a.value || (a.name < b.name ? -1 : 1));
  return one;
}

/**
 * The boxes of a tree seen from one node: [{node, depth, from, to}], from and to between 0 and 1. The node's parents span all of the
 * width above it; what is narrower than `least` is left out.
 */
export function boxesOf(focus, least) {
  const above = pathTo(focus).slice(0, -1);
  const boxes = above.map((node, depth) => ({ node, depth, from: 0, to: 1 }));
  spread(focus, above.length, 0, 1, least, boxes);
  return boxes;
}

function spread(node, depth, from, to, least, boxes) {
  boxes.push({ node, depth, from, to });
  let at = from;
  for (const child of node.children) {
    const width = ((to - from) * child.value) / node.value;
    if (width >= least) {
      spread(child, depth + 1, at, at + width, least, boxes);
    }
    at += width;
  }
}

/** The nodes from the root to this one. */
export function pathTo(node) {
  return node ? [...pathTo(node.parent), node] : [];
}

export function depthOf(boxes) {
  return boxes.reduce((most, box) => Math.max(most, box.depth + 1), 0);
}

/** The node on the same path in another tree, or the nearest above it that is there: a reader stays where she was. */
export function sameNode(root, path) {
  let at = root;
  for (const node of path.slice(1)) {
    const next = at.children.find((child) => child.name === node.name && child.kind === node.kind);
    if (!next) {
      return at;
    }
    at = next;
  }
  return at;
}

/** All nodes from the root down with their depth, those under `share` of the whole left out. */
export function rowsOf(root, share) {
  const rows = [];
  const walk = (node, depth) => {
    if (node.value >= root.value * share) {
      rows.push({ node, depth });
      node.children.forEach((child) => walk(child, depth + 1));
    }
  };
  walk(root, 0);
  return rows;
}
