// Numbers and names as people read them. Plain functions, no page needed.

const BYTE_UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

/** Bytes with three digits that count: 0 B, 1.5 KiB, 62.5 MiB. */
export function bytesText(bytes) {
  let value = Math.abs(bytes);
  let unit = 0;
  while (value >= 1023.95 && unit < BYTE_UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : 1;
  return (bytes < 0 ? "−" : "") + value.toFixed(digits).replace(/\.0$/, "") + " " + BYTE_UNITS[unit];
}

export function countText(count) {
  return Math.round(count).toLocaleString("en-US").replace("-", "−");
}

/** A count, said to be an estimate where it is one. */
export function aboutText(text, exact) {
  return exact ? text : "≈ " + text;
}

/** One thing or several: nounText(2, "site") is "2 sites". */
export function nounText(count, noun, plural = noun + "s") {
  return countText(count) + " " + (count === 1 ? noun : plural);
}

/** Things as part of a sentence; a report of an older command has the sentence's part already. */
export function listText(things) {
  return Array.isArray(things) ? things.slice(0, -1).join(", ") + (things.length > 1 ? ", and " : "") + things.at(-1) : things;
}

export function percentText(part, whole) {
  return whole > 0 ? ((100 * part) / whole).toFixed(1).replace(/\.0$/, "") + " %" : "";
}

/** 0.4 s, 12.3 s, 2 min 10 s, 1 h 3 min, 4 d 2 h. */
export function durationText(seconds) {
  if (seconds < 60) {
    return (Math.floor(seconds * 10) / 10).toString() + " s";
  }
  const parts = [
    ["d", 86400],
    ["h", 3600],
    ["min", 60],
    ["s", 1],
  ];
  const first = parts.findIndex(([, size]) => seconds >= size);
  const [name, size] = parts[first];
  const [lesserName, lesser] = parts[first + 1];
  const rest = Math.floor((seconds % size) / lesser);
  return Math.floor(seconds / size) + " " + name + (rest ? " " + rest + " " + lesserName : "");
}

/** A place on a time axis: 0:42, 1:02:03; tenths below ten seconds where they count. */
export function clockText(seconds) {
  const whole = Math.floor(seconds);
  const two = (number) => String(number).padStart(2, "0");
  const minutes = Math.floor(whole / 60);
  const tenths = Math.round((seconds - whole) * 10) / 10;
  const tail = two(whole % 60) + (tenths > 0 && tenths < 1 ? tenths.toFixed(1).slice(1) : "");
  return minutes < 60 ? minutes + ":" + tail : Math.floor(minutes / 60) + ":" + two(minutes % 60) + ":" + tail;
}

export function millisText(millis) {
  return millis >= 1000 ? durationText(millis / 1000) : millis.toFixed(millis < 10 ? 1 : 0) + " ms";
}

const KIND_NAMES = {
  "arena.confined": "confined arenas",
  "arena.shared": "shared arenas",
  "arena.automatic": "automatic arenas",
  "buffer.direct": "direct buffers",
  unsafe: "Unsafe memory",
  jna: "JNA memory",
  "malloc.downcall": "malloc by downcall",
  "malloc.jna": "JNA's Native.malloc",
  "malloc.native": "native blocks",
  cleaner: "cleaners",
  finalizer: "finalizable objects",
};

const CLOSEABLE = /^closeable:(?:.*\.)?/;

/** Whether a kind is a class of the program that a rule names: how many bytes its objects have is not known. */
export function isCloseable(kind) {
  return CLOSEABLE.test(kind);
}

/** What a kind is called in a sentence: a class by its name; what is not known, or another part of memory, keeps its own name. */
export function kindName(kind) {
  return KIND_NAMES[kind] ?? kind.replace(CLOSEABLE, "");
}

const LEFT_TO_COLLECTOR = new Set(["arena.automatic", "finalizer"]);

/** Whether the collector frees it by design: what it freed was not forgotten by anybody. */
export function isLeftToCollector({ kind, freedBy }) {
  return LEFT_TO_COLLECTOR.has(kind) || freedBy === "collector";
}

/**
 * `com.acme.Store.load(Store.java:88)` in its pieces; what does not look like a frame is all `call`. The address in the name of a lambda's
 * class is another one each time, and left out.
 */
export function frameParts(frame) {
  const found = /^(?:(.+?)\.)?([^.()]+\.[^.()]+)\(([^)]*)\)$/.exec(frame.replace(/(\$\$Lambda)[./]0x[0-9a-f]+/, "$1"));
  return found ? { in: found[1] ?? "", call: found[2], at: found[3] } : { in: "", call: frame, at: "" };
}

/** What a report knows: null for what stands for "not known" in it, such as -1. */
export function known(value) {
  return value === undefined || value === null || value === "" || value === "unknown" || value < 0 ? null : value;
}

/** Whether its program says no more: it has ended, or who watched it has seen the last of it. */
export function isOver(report) {
  return Boolean(report.complete || report.over);
}

/** Whether the JDK or the agent made the call: not the line to look at. */
export function isForeign(frame) {
  return /^(?:java|javax|jdk|sun|com\.sun|dev\.offcut\.agent)\./.test(frame);
}

/** Whether it is about blocks that native code allocated. */
export function isNative(row) {
  return row.kind === "malloc.native";
}

/** The frame that a person would mend, of a place {frames, own}. A report of an older command does not say which that is. */
export function ownFrame(place) {
  const frames = place.frames ?? [];
  return frames[place.own ?? -1] ?? frames.find((frame) => !isForeign(frame)) ?? frames[0] ?? "";
}

const SEVERITIES = {
  lost: { word: "lost", means: "never closed, and nothing frees it before the program ends" },
  forgotten: { word: "forgotten", means: "not closed by the program; released by the safety net" },
  growing: { word: "growing", means: "rises while the program runs" },
  late: { word: "late", means: "not closed by the program; freed late, by the garbage collector" },
  open: { word: "open", means: "still open, and a large part of resident memory" },
  kept: { word: "kept", means: "freed by the program, but not given back to the system by malloc" },
  pooled: { word: "pooled", means: "a pool holds much more memory than is in use" },
  mapped: { word: "mapped", means: "mapped files, a large part of resident memory" },
  threads: { word: "threads", means: "many threads" },
  loaders: { word: "loaders", means: "many class loaders of one class, with much memory" },
  limit: { word: "limit", means: "another limit is near: of threads, inotify, class space, metaspace, direct memory or the container" },
  descriptors: { word: "descriptors", means: "many open files or sockets: at least half of the limit, or still rising" },
  cost: { word: "cost", means: "no leak, but it costs time or memory" },
  note: { word: "note", means: "useful to know" },
};

export function severity(name) {
  return SEVERITIES[name] ?? SEVERITIES.note;
}
