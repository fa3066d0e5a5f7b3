// Making elements, and bringing what is on the page up to date without replacing it.

const SVG = new Set(["svg", "rect", "path", "g", "title"]);

/**
 * An element. Attributes that are null, undefined or false are left out, and true stands without a value; children are nodes,
 * strings and lists of both. There is no `style`: the page's security policy forbids it.
 */
export function h(tag, attributes, ...children) {
  const element = SVG.has(tag) ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/**
 * Makes the children of `old` those of `wanted`, keeping every element that can be kept: focus, selection, scroll position and
 * what is unfolded stay as they are. Elements are the same if their `data-key` is, or without one their tag and their place.
 * What is inside an element with `data-own` belongs to a script and is left alone; so is `open`, which belongs to the reader.
 */
export function morph(old, wanted) {
  const keyed = new Map();
  for (const child of old.children) {
    if (child.dataset.key) {
      keyed.set(child.dataset.key, child);
    }
  }
  let at = old.firstChild;
  for (const want of [...wanted.childNodes]) {
    const key = keyOf(want);
    const kept = key ? keyed.get(key) : at && !keyOf(at) && at.nodeName === want.nodeName ? at : null;
    if (!kept || kept.nodeName !== want.nodeName) {
      old.insertBefore(want, at);
      continue;
    }
    if (kept === at) {
      at = at.nextSibling;
    } else {
      old.insertBefore(kept, at);
    }
    update(kept, want);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

function keyOf(node) {
  return node.nodeType === Node.ELEMENT_NODE ? node.dataset.key : undefined;
}

function update(old, wanted) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== wanted.data) {
      old.data = wanted.data;
    }
    return;
  }
  if (old.dataset.own !== undefined) {
    return;
  }
  for (const { name, value } of wanted.attributes) {
    if (old.getAttribute(name) !== value) {
      old.setAttribute(name, value);
    }
  }
  for (const { name } of [...old.attributes]) {
    if (!wanted.hasAttribute(name) && name !== "open") {
      old.removeAttribute(name);
    }
  }
  morph(old, wanted);
}

/** Brings an element up to date with a list of children. */
export function show(element, ...children) {
  morph(element, h("div", null, ...children));
}

/** Whether a reader is busy in an element: then its rows stay where they are. */
export function inUse(element) {
  return element.matches(":hover") || element.contains(document.activeElement);
}

/** A canvas of this size, sharp on any screen. */
export function prepared(canvas, width, height) {
  const scale = window.devicePixelRatio || 1;
  canvas.style.height = height + "px";
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext("2d");
  context.scale(scale, scale);
  return context;
}
