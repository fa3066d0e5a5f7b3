// Colours and patterns of what is drawn on canvas. The colours stand in page.css, once for light and once for dark; the patterns
// tell neighbours apart where colours do not.

const SLOTS = {
  "java heap": ["heap", "plain"],
  "arena.confined": ["confined", "rising"],
  "arena.shared": ["shared", "plain"],
  "arena.automatic": ["automatic", "dots"],
  "buffer.direct": ["direct", "falling"],
  unsafe: ["unsafe", "plain"],
  jna: ["jna", "level"],
  "malloc.downcall": ["other2", "plain"],
  "malloc.jna": ["jna", "plain"],
  rest: ["rest", "level"],
  unexplained: ["rest", "dots"],
  "small parts": ["rest", "falling"],
  "go heap": ["heap", "plain"],
  "Go heap": ["heap", "plain"],
  "Go heap, objects": ["heap", "plain"],
  "Go heap, free": ["heap", "dots"],
  "Go stacks": ["automatic", "rising"],
  "Go runtime": ["other1", "plain"],
  "Java heap, used": ["heap", "plain"],
  "Java heap, free": ["heap", "dots"],
  "Java heap, mapped again": ["heap", "level"],
  metaspace: ["other1", "plain"],
  "class space": ["other1", "rising"],
  "code cache": ["other3", "plain"],
  "garbage collector": ["other3", "level"],
  "class data archive": ["other4", "plain"],
  "thread stacks": ["automatic", "plain"],
  "malloc, in use by the JVM": ["direct", "level"],
  "malloc, in use": ["direct", "plain"],
  "malloc, in use or kept": ["direct", "dots"],
  "malloc, kept: a trim returns it": ["unsafe", "rising"],
  "malloc, kept: a trim leaves it": ["unsafe", "falling"],
  pools: ["jna", "plain"],
  allocator: ["confined", "plain"],
  "native libraries": ["other2", "plain"],
  "archives of classes": ["other2", "dots"],
  "Offcut's samples": ["other2", "falling"],
  "mapped files": ["shared", "plain"],
  "shared memory": ["shared", "rising"],
  system: ["rest", "plain"],
};
const SPARE = [
  ["other1", "plain"],
  ["other2", "rising"],
  ["other3", "level"],
  ["other4", "falling"],
];

/** Which colour and pattern a part has: always the same for the same name. */
export function slotOf(name) {
  const part = SLOTS[name] ? name : Object.keys(SLOTS).find((known) => name.startsWith(known + ": "));
  if (part) {
    return SLOTS[part];
  }
  let hash = 0;
  for (const character of name) {
    hash = (hash * 31 + character.codePointAt(0)) >>> 0;
  }
  return SPARE[hash % SPARE.length];
}

/** A colour of page.css as it is now. */
export function colour(name) {
  return getComputedStyle(document.documentElement)
    .getPropertyValue("--" + name)
    .trim();
}

const PATTERN_SIZE = 8;

/** What a part is filled with on a canvas. */
export function fillOf(name, context, scale = 1) {
  const [tint, pattern] = slotOf(name);
  if (pattern === "plain") {
    return colour("part-" + tint);
  }
  const tile = document.createElement("canvas");
  tile.width = tile.height = PATTERN_SIZE * scale;
  drawTile(tile.getContext("2d"), pattern, colour("part-" + tint), scale);
  return context.createPattern(tile, "repeat");
}

function drawTile(context, pattern, tint, scale) {
  context.scale(scale, scale);
  context.fillStyle = tint;
  context.fillRect(0, 0, PATTERN_SIZE, PATTERN_SIZE);
  context.strokeStyle = context.fillStyle = colour("hatch");
  context.lineWidth = 1.2;
  context.beginPath();
  if (pattern === "dots") {
    context.arc(2, 2, 1, 0, 7);
    context.arc(6, 6, 1, 0, 7);
    context.fill();
    return;
  }
  // Lines run past the tile's edges, so that tiles join.
  const lines = {
    rising: [
      [-2, 2, 2, -2],
      [-2, 10, 10, -2],
      [6, 10, 10, 6],
    ],
    falling: [
      [-2, 6, 2, 10],
      [-2, -2, 10, 10],
      [6, -2, 10, 2],
    ],
    level: [
      [0, 2, 8, 2],
      [0, 6, 8, 6],
    ],
  }[pattern];
  for (const [x1, y1, x2, y2] of lines) {
    context.moveTo(x1, y1);
    context.lineTo(x2, y2);
  }
  context.stroke();
}

/** Fills every `canvas.swatch` below an element with the part that its `data-part` names. */
export function paintSwatches(root) {
  const scale = window.devicePixelRatio || 1;
  for (const canvas of root.querySelectorAll("canvas.swatch")) {
    canvas.width = 22 * scale;
    canvas.height = 12 * scale;
    const context = canvas.getContext("2d");
    context.fillStyle = fillOf(canvas.dataset.part, context, scale);
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
}

/** Calls back when the colours change: light or dark, screen or paper. */
export function onColours(listener) {
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", listener);
  for (const when of ["beforeprint", "afterprint"]) {
    window.addEventListener(when, () => {
      document.documentElement.classList.toggle("paper", when === "beforeprint");
      listener();
    });
  }
}
