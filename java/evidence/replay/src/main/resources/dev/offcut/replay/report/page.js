"use strict";

// ---- What is drawn: plain functions, no page needed.

/** The pieces of all nodes in order of address: [{from, bytes, state}], without gaps. */
function piecesOf(map) {
  const pieces = [];
  let from = 0;
  for (const node of map) {
    for (const [count, bytes, state] of node) {
      for (let i = 0; i < count; i++) {
        pieces.push({ from, bytes, state });
        from += bytes;
      }
    }
  }
  return pieces;
}

/** Rows of a space: as many as make a row a whole number of KiB, at most 64. */
function rowsOf(bytes) {
  const rowBytes = Math.max(1024, Math.ceil(bytes / 64 / 1024) * 1024);
  return { rowBytes, rows: Math.max(1, Math.ceil(bytes / rowBytes)) };
}

/** What of a piece lies in which row: [{row, from, to}], from and to in bytes of the row. */
function partsOf(piece, rowBytes) {
  const parts = [];
  let at = piece.from;
  const end = piece.from + piece.bytes;
  while (at < end) {
    const row = Math.floor(at / rowBytes);
    const to = Math.min(end, (row + 1) * rowBytes);
    parts.push({ row, from: at - row * rowBytes, to: to - row * rowBytes });
    at = to;
  }
  return parts;
}

/** The index of the piece at an address; -1 beyond the end. */
function pieceAt(pieces, address) {
  let low = 0;
  let high = pieces.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const piece = pieces[middle];
    if (address < piece.from) {
      high = middle - 1;
    } else if (address >= piece.from + piece.bytes) {
      low = middle + 1;
    } else {
      return middle;
    }
  }
  return -1;
}

function sizeText(bytes) {
  if (bytes >= 10 * 1048576) {
    return (bytes / 1048576).toFixed(2).replace(/\.?0+$/, "") + " MiB";
  }
  return Math.round(bytes / 1024).toLocaleString("en-US") + " KiB";
}

const WORDS = {
  in_use: "handed out",
  free: "free",
  alignment: "free, cut for alignment only",
  untouched: "no chunk yet",
};

function pieceText(piece) {
  return sizeText(piece.bytes) + " " + WORDS[piece.state] + ", from " + sizeText(piece.from) + " (0x" + piece.from.toString(16) + ")";
}

function summaryText(look) {
  const percent = look.capacity_bytes ? (100 * look.handed_out_bytes) / look.capacity_bytes : 0;
  return percent.toFixed(1) + " % of " + sizeText(look.capacity_bytes) + " handed out, largest free " + sizeText(look.largest_free_bytes);
}

// ---- The page

function start(data) {
  const ROW_HEIGHT = 7;
  const figures = [];
  const moments = [...new Set(data.policies.flatMap((policy) => policy.snapshots.map((one) => one.name)))];
  const choice = document.getElementById("choice");

  for (const name of moments) {
    const label = document.createElement("label");
    const input = document.createElement("input");
    input.type = "radio";
    input.name = "moment";
    input.value = name;
    input.checked = name === moments[moments.length - 1];
    label.append(input, " " + name);
    document.getElementById("moments").append(label);
  }

  for (const policy of data.policies) {
    const figure = document.createElement("figure");
    figure.className = "map";
    const caption = document.createElement("figcaption");
    const title = document.createElement("h3");
    title.textContent = policy.policy;
    const summary = document.createElement("span");
    caption.append(title, summary);
    const canvas = document.createElement("canvas");
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "img");
    const output = document.createElement("output");
    figure.append(caption, canvas, output);
    document.getElementById("maps").append(figure);
    const one = { policy, canvas, summary, output, pieces: [], rowBytes: 1024, selected: -1 };
    canvas.addEventListener("pointermove", (event) => point(one, event));
    canvas.addEventListener("pointerleave", () => select(one, -1));
    canvas.addEventListener("keydown", (event) => step(one, event));
    figures.push(one);
  }

  function chosen(name) {
    return new FormData(choice).get(name);
  }

  function show() {
    for (const one of figures) {
      const snapshot = one.policy.snapshots.find((each) => each.name === chosen("moment"));
      const look = snapshot && snapshot[chosen("space")];
      one.pieces = look ? piecesOf(look.map) : [];
      one.selected = -1;
      one.output.textContent = "";
      one.summary.textContent = look ? summaryText(look) : "was over before";
      one.canvas.setAttribute("aria-label", "Map of " + one.policy.policy + ", " + chosen("moment") + ": " + one.summary.textContent);
      draw(one);
    }
  }

  function draw(one) {
    const last = one.pieces[one.pieces.length - 1];
    const { rowBytes, rows } = rowsOf(last ? last.from + last.bytes : 0);
    one.rowBytes = rowBytes;
    const scale = window.devicePixelRatio || 1;
    const width = one.canvas.clientWidth;
    one.canvas.style.height = rows * ROW_HEIGHT + "px";
    one.canvas.width = Math.round(width * scale);
    one.canvas.height = Math.round(rows * ROW_HEIGHT * scale);
    const context = one.canvas.getContext("2d");
    context.scale(scale, scale);
    const style = getComputedStyle(document.documentElement);
    const colours = {};
    for (const state of [...Object.keys(WORDS), "edge", "text"]) {
      colours[state] = style.getPropertyValue("--" + state).trim();
    }
    one.pieces.forEach((piece, index) => drawPiece(context, piece, one, index, width, colours));
  }

  function drawPiece(context, piece, one, index, width, colours) {
    for (const part of partsOf(piece, one.rowBytes)) {
      const x = (part.from / one.rowBytes) * width;
      const end = (part.to / one.rowBytes) * width;
      const y = part.row * ROW_HEIGHT;
      context.fillStyle = colours[piece.state];
      context.fillRect(x, y, end - x, ROW_HEIGHT - 1);
      if (end - x >= 3) {
        context.fillStyle = colours.edge;
        context.fillRect(end - 1, y, 1, ROW_HEIGHT - 1);
      }
      if (index === one.selected) {
        context.strokeStyle = colours.text;
        context.lineWidth = 2;
        context.strokeRect(x + 1, y, Math.max(1, end - x - 2), ROW_HEIGHT - 1);
      }
    }
  }

  function select(one, index) {
    if (index !== one.selected) {
      one.selected = index;
      one.output.textContent = index < 0 ? "" : pieceText(one.pieces[index]);
      draw(one);
    }
  }

  function point(one, event) {
    const row = Math.floor(event.offsetY / ROW_HEIGHT);
    const inRow = (event.offsetX / one.canvas.clientWidth) * one.rowBytes;
    select(one, pieceAt(one.pieces, row * one.rowBytes + inRow));
  }

  function step(one, event) {
    const last = one.pieces.length - 1;
    const here = one.pieces[Math.max(0, one.selected)];
    if (!here) {
      return;
    }
    const moves = {
      ArrowRight: () => one.selected + 1,
      ArrowLeft: () => one.selected - 1,
      ArrowDown: () => Math.max(one.selected + 1, pieceAt(one.pieces, here.from + one.rowBytes)),
      ArrowUp: () => Math.min(one.selected - 1, pieceAt(one.pieces, here.from - one.rowBytes)),
      Home: () => 0,
      End: () => last,
    };
    const move = moves[event.key];
    if (move) {
      event.preventDefault();
      const to = move();
      select(one, Math.min(last, Math.max(0, to)));
    }
  }

  choice.addEventListener("change", show);
  window.addEventListener("resize", () => figures.forEach(draw));
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => figures.forEach(draw));
  show();
}

if (typeof document !== "undefined") {
  start(JSON.parse(document.getElementById("data").textContent));
} else if (typeof module !== "undefined") {
  module.exports = { piecesOf, rowsOf, partsOf, pieceAt, sizeText, pieceText, summaryText };
}
