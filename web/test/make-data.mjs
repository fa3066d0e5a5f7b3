// Writes the data of the tests, web/test/data: reports of an empty program, of one that leaks, of it with accounts of its memory, and of a big one, measurements,
// and the report of a fleet. The same ones every time.

import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const KIB = 1024;
const MIB = 1024 * KIB;

/** Numbers from 0 to 1, the same ones every time. */
function chance(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const kind = (name, opened, closed, collected, lost, bytes, peakBytes, openedBytes, lostBytes) => ({
  kind: name,
  opened,
  closed,
  collected,
  lost,
  open: opened - closed - collected - lost,
  bytes,
  peakBytes,
  openedBytes,
  lostBytes,
});

const site = (name, frames, opened, closed, collected, lost, bytes, lostBytes, exact = false) => ({
  kind: name,
  frames,
  opened,
  closed,
  collected,
  lost,
  open: opened - closed - collected - lost,
  bytes,
  lostBytes,
  samples: exact ? opened : Math.ceil(opened / 128),
  exact,
});

const empty = {
  schema: "offcut.report/1",
  tool: "0.1.0",
  complete: true,
  target: {
    pid: 812,
    main: "shop.Hello",
    command: ["java", "-cp", "shop.jar", "shop.Hello"],
    jdk: "25.0.3",
    started: "2026-11-20T09:15:02Z",
    seconds: 0.4,
    level: "sample",
    sampleEvery: 128,
  },
  notes: [],
  kinds: [],
  sites: [],
  handles: [],
  handleLeaks: [],
  pools: [],
  forcedCollections: [],
  finalizers: [],
  saved: [],
  loaders: { loaders: 0, committed: 0, used: 0 },
  memory: { resident: -1, residentPeak: -1, containerLimit: null, parts: [] },
  findings: [],
  series: { time: [], resident: [], heapCommitted: [], kinds: {}, handlesOpen: [], gc: [] },
};

const RUN = [
  "java.util.concurrent.ThreadPoolExecutor.runWorker(ThreadPoolExecutor.java:1090)",
  "java.util.concurrent.ThreadPoolExecutor$Worker.run(ThreadPoolExecutor.java:614)",
  "java.lang.Thread.run(Thread.java:1474)",
];
const HANDLE = [
  "shop.orders.OrderService.place(OrderService.java:57)",
  "shop.web.OrderEndpoint.post(OrderEndpoint.java:41)",
  "shop.web.Router.dispatch(Router.java:118)",
  "shop.web.Server.serve(Server.java:73)",
  ...RUN,
];

function leaking() {
  const random = chance(7);
  const time = Array.from({ length: 131 }, (_, second) => second);
  const grown = (most) => time.map((second) => Math.round((most * second) / 130));
  const shared = grown(25 * MIB);
  const direct = time.map((second) => Math.round((20 + 12 * Math.abs(Math.sin(second / 11)) + 2 * random()) * MIB));
  const confined = grown(62.5 * MIB);
  const heap = time.map((second) => (second < 9 ? 64 : second < 40 ? 128 : 160) * MIB);
  const resident = time.map((second, i) => (heap[i] * 0.86 + confined[i] + shared[i] + direct[i] + (74 + 3 * random()) * MIB) | 0);
  const gc = [];
  for (let second = 3; second < 130; second += 4 + Math.floor(random() * 7)) {
    const forced = random() < 0.2;
    gc.push({
      time: second + 0.25,
      pause: Math.round((forced ? 30 + 20 * random() : 2 + 5 * random()) * 10) / 10,
      cause: forced ? "System.gc()" : "G1 Evacuation Pause",
    });
  }
  const load = ["shop.store.PageReader.read(PageReader.java:88)", "shop.store.PageStore.load(PageStore.java:41)", ...HANDLE];
  const pixels = [
    "shop.media.Thumbnail.scale(Thumbnail.java:132)",
    "shop.media.ImageService.preview(ImageService.java:66)",
    "shop.web.ImageEndpoint.get(ImageEndpoint.java:29)",
    "shop.web.Router.dispatch(Router.java:118)",
    "shop.web.Server.serve(Server.java:73)",
    ...RUN,
  ];
  const copy = [
    "shop.net.Frames.copy(Frames.java:24)",
    "shop.net.Channel.write(Channel.java:90)",
    "shop.web.Server.serve(Server.java:75)",
    ...RUN,
  ];
  const font = ["shop.media.Fonts.open(Fonts.java:19)", "shop.media.Thumbnail.scale(Thumbnail.java:120)", ...pixels.slice(1)];
  const parts = [
    ["java heap", 138 * MIB],
    ["metaspace", 31 * MIB],
    ["code cache", 14 * MIB],
    ["threads", 9 * MIB],
    ["arena.confined", 62.5 * MIB],
    ["arena.shared", 25 * MIB],
    ["buffer.direct", direct[130]],
    ["jna", 1.5 * MIB],
    ["mapped files", 6 * MIB],
  ].map(([part, bytes]) => ({ part, bytes }));
  parts.push({ part: "unexplained", bytes: resident[130] - parts.reduce((sum, part) => sum + part.bytes, 0) });
  return {
    schema: "offcut.report/1",
    tool: "0.1.0",
    complete: true,
    target: {
      pid: 4131,
      main: "shop.web.Server",
      command: ["java", "-Xmx256m", "-jar", "shop.jar", "--port", "8080", "--motd", "all's well"],
      jdk: "25.0.3",
      started: "2026-11-20T09:20:11Z",
      seconds: 130.4,
      level: "sample",
      sampleEvery: 128,
    },
    notes: ["Native memory tracking is off: metaspace, code and threads are estimates. -XX:NativeMemoryTracking=summary makes them exact."],
    kinds: [
      kind("arena.confined", 412806, 411806, 0, 1000, 0, 64 * MIB, 25800 * MIB, 62.5 * MIB),
      kind("arena.shared", 5210, 5160, 0, 0, 25 * MIB, 25 * MIB, 2605 * MIB, 0),
      kind("buffer.direct", 88240, 0, 87216, 0, direct[130], 34 * MIB, 5515 * MIB, 0),
      kind("jna", 12400, 12290, 94, 0, 1.5 * MIB, 2 * MIB, 180 * MIB, 0),
      kind("cleaner", 3100, 3050, 41, 0, 0, 0, 0, 0),
    ],
    sites: [
      site("arena.confined", load, 128000, 127016, 0, 984, 0, 62.5 * MIB * 0.984),
      site("arena.confined", pixels, 284672, 284672, 0, 0, 0, 0),
      site("arena.shared", pixels, 5120, 5072, 0, 0, 24 * MIB, 0),
      site("buffer.direct", copy, 88192, 0, 87168, 0, direct[130], 0),
      site("jna", font, 12416, 12288, 128, 0, 0, 0),
    ],
    handles: [
      { type: "sqlite3_stmt", opened: 500000, closed: 498759, forgotten: 1234, open: 7 },
      { type: "sqlite3", opened: 16, closed: 8, forgotten: 0, open: 8 },
    ],
    handleLeaks: [{ type: "sqlite3_stmt", count: 10, frames: ["shop.orders.Orders.find(Orders.java:31)", ...HANDLE], level: "sample" }],
    pools: [],
    forcedCollections: [{ count: gc.filter((each) => each.cause === "System.gc()").length, frames: copy }],
    finalizers: [{ type: "org.legacy.ZipWriter", registered: 2100, run: 1890 }],
    saved: [
      { feature: "object streams", done: 3100, saved: 1204100, unit: "walks" },
      { feature: "JNA memory", done: 0, saved: 24800, unit: "boxes" },
    ],
    loaders: { loaders: 14, committed: 31 * MIB, used: 26 * MIB },
    memory: { resident: resident[130], residentPeak: Math.max(...resident), containerLimit: 512 * MIB, parts },
    findings: [
      {
        severity: "lost",
        title: "1,000 confined arenas were lost: 62.5 MiB that nobody can free",
        text: "They were neither closed nor can they be: the JDK frees a confined arena only when its own thread closes it. Close them with try-with-resources.",
        kind: "arena.confined",
        site: 0,
      },
      {
        severity: "forgotten",
        title: "1,234 sqlite3_stmt handles were forgotten",
        text: "The net released them after their objects had become unreachable. Close them with try-with-resources.",
        kind: "sqlite3_stmt",
        site: null,
        frames: ["shop.orders.Orders.find(Orders.java:31)", ...HANDLE],
      },
      {
        severity: "late",
        title: "87,216 direct buffers were left to the garbage collector",
        text: "No buffer of this program was freed by it. Up to 34 MiB waited for a collection at once.",
        kind: "buffer.direct",
        site: 3,
      },
      {
        severity: "cost",
        title: "Direct memory forced " + gc.filter((each) => each.cause === "System.gc()").length + " collections",
        text: "The JDK called System.gc() because direct memory was at its limit; each stopped the program for some 40 ms.",
        kind: "buffer.direct",
        site: null,
        frames: copy,
      },
      {
        severity: "note",
        title: "1 class overrides finalize()",
        text: "org.legacy.ZipWriter, 2,100 objects.",
        kind: "finalizer",
        site: null,
      },
    ],
    series: {
      time,
      resident,
      heapCommitted: heap,
      kinds: { "arena.confined": confined, "arena.shared": shared, "buffer.direct": direct, jna: grown(1.5 * MIB) },
      handlesOpen: time.map((second) => 8 + (second % 9)),
      gc,
    },
  };
}

function big() {
  const random = chance(11);
  const base = leaking();
  const points = 900;
  const time = Array.from({ length: points }, (_, i) => i * 4);
  const wave = (middle, swing, pace) =>
    time.map((second) => Math.round((middle + swing * Math.sin(second / pace) + swing * 0.2 * random()) * MIB));
  const series = {
    "arena.confined": wave(180, 60, 300),
    "arena.shared": wave(90, 20, 700),
    "arena.automatic": wave(40, 12, 90),
    "buffer.direct": wave(260, 80, 400),
    unsafe: wave(70, 30, 1500),
    jna: wave(12, 4, 60),
  };
  const heap = time.map((second) => (second < 400 ? 1024 : 2048) * MIB);
  const resident = time.map((_, i) =>
    Math.round(heap[i] * 0.9 + Object.values(series).reduce((sum, values) => sum + values[i], 0) + 380 * MIB),
  );
  const names = Object.keys(series);
  const packages = ["acme.search.index", "acme.search.query", "acme.cache", "acme.net.codec", "acme.feed", "acme.geo.tiles"];
  const verbs = ["read", "decode", "open", "merge", "scan", "flush", "compact", "resolve"];
  const frames = (n) => {
    const place = packages[n % packages.length];
    const at = (depth, verb) =>
      "com." +
      place +
      "." +
      ["Reader", "Segment", "Store", "Worker"][depth % 4] +
      (n % 5) +
      "." +
      verb +
      "(" +
      ["Reader", "Segment", "Store", "Worker"][depth % 4] +
      (n % 5) +
      ".java:" +
      (20 + ((n * 37 + depth * 11) % 400)) +
      ")";
    const own = Array.from({ length: 5 + (n % 20) }, (_, depth) => at(depth, verbs[(n + depth) % verbs.length]));
    return [...own, "com." + place + ".Main.loop(Main.java:" + (50 + (n % 3)) + ")", ...RUN];
  };
  const sites = Array.from({ length: 40 }, (_, n) => {
    const opened = 128 * Math.floor(1 + random() * 9000);
    const lost = n % 9 === 4 ? 128 * Math.floor(1 + random() * 20) : 0;
    const name = lost ? (n % 2 ? "arena.shared" : "arena.confined") : names[n % names.length];
    const open = 128 * Math.floor(random() * 40);
    const late = name === "buffer.direct" || name === "arena.automatic" ? opened - open - lost : 0;
    return site(name, frames(n), opened, opened - open - lost - late, late, lost, open * 16 * KIB, lost * 48 * KIB);
  });
  const lost = sites
    .map((one, index) => ({ one, index }))
    .filter(({ one }) => one.lost)
    .sort((a, b) => b.one.lostBytes - a.one.lostBytes);
  const sum = (name, field) => sites.filter((one) => one.kind === name).reduce((total, one) => total + one[field], 0);
  const rows = [
    "#".repeat(40) + "+:::" + ".".repeat(20),
    "#".repeat(12) + "+".repeat(6) + ".".repeat(30) + "#".repeat(16),
    ":".repeat(9) + "#".repeat(55),
    ".".repeat(32) + "_".repeat(32),
    ...Array.from({ length: 8 }, (_, row) =>
      Array.from({ length: 64 }, () => "##+:.."[Math.floor(random() * 6)])
        .join("")
        .slice(0, row === 7 ? 40 : 64),
    ),
  ];
  const parts = [
    ["java heap", 1843 * MIB],
    ["metaspace", 120 * MIB],
    ["code cache", 64 * MIB],
    ["threads", 48 * MIB],
    ...names.map((name) => [name, series[name][points - 1]]),
    ["mapped files", 210 * MIB],
    ["pool acme.cache", 96 * MIB],
  ].map(([part, bytes]) => ({ part, bytes }));
  parts.push({ part: "unexplained", bytes: resident[points - 1] - parts.reduce((total, part) => total + part.bytes, 0) });
  return {
    ...base,
    complete: false,
    target: {
      pid: 20177,
      main: "com.acme.search.node.SearchNodeApplicationLauncher",
      command: [
        "java",
        "-XX:+UseZGC",
        ...Array.from({ length: 14 }, (_, n) => "-Dacme.setting." + n + "=value-" + n),
        "com.acme.search.node.SearchNodeApplicationLauncher",
        "--config",
        "/etc/acme/search node.yaml",
      ],
      jdk: "25.0.3",
      started: "2026-11-20T06:00:00.123Z",
      seconds: 3597.2,
      level: "sample",
      sampleEvery: 128,
    },
    notes: [
      "The recording was cut short: its last chunk is missing.",
      "The retrofit of JNA stood down: com.sun.jna.Memory of JNA 4.1 has another shape.",
    ],
    kinds: [
      ...names.map((name) =>
        kind(
          name,
          sum(name, "opened") + 37,
          sum(name, "closed") + 37,
          sum(name, "collected"),
          sum(name, "lost"),
          series[name][points - 1],
          Math.max(...series[name]),
          sum(name, "opened") * 16 * KIB,
          sum(name, "lostBytes"),
        ),
      ),
      kind("cleaner", 81000, 80000, 900, 0, 0, 0, 0, 0),
      kind("finalizer", 5000, 0, 4800, 0, 0, 0, 0, 0),
    ],
    sites,
    pools: [
      {
        pool: "acme.cache",
        limit: 128 * MIB,
        reserved: 1024 * MIB,
        committed: 120 * MIB,
        handedOut: 104 * MIB,
        used: 96 * MIB,
        owners: [
          { owner: "blocks", committed: 88 * MIB, handedOut: 80 * MIB, used: 76 * MIB },
          { owner: "index", committed: 32 * MIB, handedOut: 24 * MIB, used: 20 * MIB },
        ],
      },
      { pool: "acme.net", limit: -1, reserved: 256 * MIB, committed: 12 * MIB, handedOut: 9 * MIB, used: 7 * MIB, owners: [] },
    ],
    map: [
      { pool: "acme.cache", cellBytes: 256 * KIB, rows },
      { pool: "acme.net", cellBytes: 64 * KIB, rows: rows.slice(4, 7) },
    ],
    finalizers: Array.from({ length: 6 }, (_, n) => ({ type: "org.legacy.Type" + n, registered: 900 - 100 * n, run: 850 - 100 * n })),
    loaders: { loaders: 412, committed: 120 * MIB, used: 88 * MIB },
    memory: { resident: resident[points - 1], residentPeak: Math.max(...resident), containerLimit: 4096 * MIB, parts },
    findings: [
      ...lost.map(({ one, index }) => ({
        severity: "lost",
        title:
          "About " +
          one.lost.toLocaleString("en-US") +
          " " +
          one.kind.replace("arena.", "") +
          " arenas were lost: " +
          (one.lostBytes / MIB).toFixed(1) +
          " MiB that nobody can free",
        text: "Close them with try-with-resources.",
        kind: one.kind,
        site: index,
      })),
      ...base.findings.slice(1),
    ],
    series: {
      time,
      resident,
      heapCommitted: heap,
      kinds: series,
      handlesOpen: time.map(() => Math.floor(random() * 900)),
      gc: Array.from({ length: 400 }, (_, n) => ({
        time: n * 9 + 0.5,
        pause: Math.round(random() * 20) / 10,
        cause: n % 40 === 7 ? "System.gc()" : n % 5 ? "Allocation Rate" : "Proactive",
      })),
    },
  };
}

/** What leaks, as `offcut.report/2`: with accounts of its memory, so many collections that ticks would touch, and more heap committed than is resident. */
function accounted() {
  const base = leaking();
  const { series } = base;
  const time = [1.2, ...Array.from({ length: 13 }, (_, i) => 11 + 10 * i)].filter((at) => at <= series.time.at(-1));
  const resident = time.map((at) => series.resident[Math.round(at)]);
  const share = {
    "Java heap, used": 0.21,
    "Java heap, free": 0.07,
    metaspace: 0.03,
    "class space": 0.004,
    "code cache": 0.03,
    "garbage collector": 0.008,
    "class data archive": 0.06,
    "thread stacks": 0.01,
    "malloc, kept: a trim returns it": 0.09,
    "malloc, kept: a trim leaves it": 0.02,
    "native libraries": 0.08,
    "archives of classes": 0.02,
    "mapped files": 0.05,
    system: 0.0001,
    unexplained: 0.002,
  };
  const rows = Object.entries(share).map(([part, of]) => ({ part, bytes: resident.map((all) => Math.floor(of * all)) }));
  rows.splice(8, 0, {
    part: "malloc, in use",
    bytes: resident.map((all, i) => all - rows.reduce((sum, row) => sum + row.bytes[i], 0)),
  });
  return {
    ...base,
    schema: "offcut.report/2",
    limits: [],
    watched: ["arenas", "direct buffers", "handles and pools of Offcut"],
    unwatched: ["what native libraries take from malloc", "objects without a Cleaner that somebody has to close"],
    memory: {
      ...base.memory,
      resident: resident.at(-1),
      accounted: true,
      remarks: ["The Java heap may grow to 512.0 MiB.", "The process has 25 threads, and malloc has 16 arenas."],
      parts: rows.map(({ part, bytes }) => ({ part, bytes: bytes.at(-1) })),
    },
    account: { time, resident, threads: time.map(() => 25), rows },
    findings: base.findings.map((finding) => ({
      ...finding,
      bytes: finding.severity === "lost" ? 62.5 * MIB : 0,
      where: null,
      next: finding.severity === "lost" ? "close it in try-with-resources." : null,
      confidence: { bytes: finding.severity === "lost" ? "counted" : "none", where: "none" },
    })),
    series: {
      ...series,
      heapCommitted: series.heapCommitted.map(() => 700 * MIB),
      heapUsed: series.resident.map((all, i) => Math.floor(all * (0.12 + 0.08 * ((i % 7) / 7)))),
      heapAfterCollection: series.resident.map((all, i) => (i < 7 ? null : Math.floor(series.resident[i - (i % 7)] * 0.12))),
      gc: Array.from({ length: 3_000 }, (_, i) => ({
        time: (i * 131) / 3_000,
        pause: 2,
        cause: i % 1_000 === 500 ? "System.gc()" : "Pause",
      })),
    },
  };
}

/** Three services with their versions on forty hosts. The newest version of one loses arenas, at a line that is new. */
function fleet() {
  const random = chance(11);
  const hour = 3_600_000;
  const first = Date.UTC(2026, 10, 18);
  const last = first + 72 * hour;
  const bucket = 2 * hour;
  const deployed = [
    ["orders", "1.4.1", first, 0],
    ["orders", "1.4.2", first + 48 * hour, 4_000_000],
    ["billing", "7", first, 0],
    ["search", "2026-11-18", first, 90_000],
  ];
  const until = (name, from) => (name === "orders" && from === first ? first + 48 * hour : last);
  const hosts = Array.from({ length: 40 }, (_, index) => "host-" + String(index + 1).padStart(2, "0"));
  const times = Array.from({ length: 36 }, (_, index) => first + index * bucket);
  const lostOf = (name, rate) => (rate ? Math.round(rate * 24) : 0);
  const services = deployed.map(([name, version, from, rate]) => ({
    service: name,
    version,
    processes: 40,
    hosts: 40,
    hours: (40 * (until(name, from) - from)) / hour,
    firstMs: from,
    lastMs: until(name, from),
    opened: 1_000_000,
    collected: name === "billing" ? 12_345 : 0,
    lost: rate ? Math.round(lostOf(name, rate) / 65_536) : 0,
    lostBytes: lostOf(name, rate),
    forgotten: name === "search" ? 17 : 0,
  }));
  const line = (service, name, place, lost, lostBytes, version, from) => ({
    service,
    what: "kind",
    name,
    line: place,
    stack: "0".repeat(16),
    opened: lost * 10,
    collected: 0,
    lost,
    lostMargin: Math.round(lost / 10),
    forgotten: 0,
    lostBytes,
    lostBytesMargin: Math.round(lostBytes / 10),
    open: 3,
    bytes: 3 * 65_536,
    samples: 90,
    processes: 40,
    hosts: 40,
    firstVersion: version,
    lastVersion: version,
    firstMs: from,
    lastMs: last,
  });
  const leak = line(
    "orders",
    "arena.shared",
    "com.acme.orders.Thumbnails.shrink(Thumbnails.java:25)",
    1_465,
    96_000_000,
    "1.4.2",
    first + 48 * hour,
  );
  const lines = [
    leak,
    line(
      "search",
      "closeable:org.rocksdb.RocksIterator",
      "com.acme.search.Index$Reader.scan(Index.java:88)",
      33,
      null,
      "2026-11-18",
      first,
    ),
    ...Array.from({ length: 30 }, (_, index) =>
      line("billing", "buffer.direct", "com.acme.billing.Export.page" + index + "(Export.java:" + (40 + index) + ")", 0, 0, "7", first),
    ),
  ];
  return {
    schema: "offcut.fleet-report/1",
    summary: {
      processes: 160,
      hosts: 40,
      services: 3,
      firstMs: first,
      lastMs: last,
      windows: 4_147_200,
      incomplete: 2,
      lastDay: "2026-11-20",
    },
    since: "2026-11-20",
    bucketMs: bucket,
    services,
    kinds: ["arena.shared", "buffer.direct", "closeable:org.rocksdb.RocksIterator"].map((name, index) => ({
      what: "kind",
      name,
      opened: 2_000_000 - index,
      closed: 1_900_000,
      collected: 12_345,
      lost: index === 1 ? 0 : 33,
      forgotten: 0,
      open: 87_622 - index,
      openedBytes: index === 2 ? 0 : 131_072_000_000,
      lostBytes: index === 0 ? 96_000_000 : 0,
    })),
    lines,
    fresh: [leak].map(({ service, what, name, line: place, stack, lost, forgotten, lostBytes, processes, firstVersion, firstMs }) => ({
      service,
      what,
      name,
      line: place,
      stack,
      lost,
      forgotten,
      lostBytes,
      processes,
      firstVersion,
      firstMs,
    })),
    hosts: hosts.map((host, index) => ({
      host,
      processes: 4,
      services: 3,
      lost: index < 3 ? 40 - index : 0,
      lostBytes: index < 3 ? (40 - index) * 65_536 : 0,
      forgotten: 0,
      mostResident: Math.round((600 + 200 * random()) * MIB),
    })),
    growth: [
      {
        service: "orders",
        version: "1.4.2",
        host: "host-01",
        process: "a".repeat(16),
        what: "process",
        name: "resident",
        firstBytes: 300 * MIB,
        lastBytes: 420 * MIB,
        hours: 24,
        bytesPerHour: 5 * MIB,
      },
    ],
    findings: [
      {
        service: "orders",
        severity: "LOST",
        name: "arena.shared",
        line: "com.acme.orders.Thumbnails.shrink(Thumbnails.java:25)",
        processes: 40,
        hosts: 40,
        bytes: 96_000_000,
        title: "37 shared arenas lost: 2.3 MiB never freed",
        firstVersion: "1.4.2",
      },
    ],
    limits: [
      {
        sentence: "The agent reports: arenas are not tracked on this JDK",
        processes: 80,
        services: 2,
        service: "billing",
      },
    ],
    versions: deployed.flatMap(([service, version, from, rate]) =>
      times
        .filter((time) => time >= from && time < until(service, from))
        .map((time) => ({
          service,
          version,
          timeMs: time,
          lostBytes: Math.round(rate * 2 * (0.5 + random())),
          heldBytes: Math.round((900 + 100 * random()) * MIB),
          processes: 40,
        })),
    ),
    hostCurves: hosts.flatMap((host) =>
      times.map((time) => ({ host, timeMs: time, resident: Math.round((2_000 + 400 * random()) * MIB) })),
    ),
    processes: hosts.slice(0, 20).map((host, index) => ({
      process: String(index).padStart(16, "0"),
      service: "orders",
      version: "1.4.2",
      host,
      pid: 4_000 + index,
      main: "com.acme.orders.Main",
      jdk: "25.0.3",
      startMs: first + 48 * hour,
      untilMs: last,
      complete: index > 1,
      ending: index > 1 ? "exit code 0" : "",
      name: "offcut-Main." + (4_000 + index) + ".offcut",
      page: index ? null : "offcut-Main.4000.html",
      lost: index < 3 ? 40 - index : 0,
      forgotten: 0,
      lostBytes: index < 3 ? (40 - index) * 65_536 : 0,
    })),
  };
}

for (const [name, report] of Object.entries({
  empty,
  leak: leaking(),
  big: big(),
  accounted: accounted(),
  fleet: fleet(),
})) {
  writeFileSync(fileURLToPath(new URL("data/" + name + ".json", import.meta.url)), JSON.stringify(report) + "\n");
}
