// A real Chromium without a window, spoken to over a pipe in its DevTools protocol; no library needed.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/** Starts the first of them that is on the PATH. */
export async function startBrowser() {
  const profile = mkdtempSync(join(tmpdir(), "offcut-web-"));
  const args = [
    "--headless",
    "--remote-debugging-pipe",
    "--user-data-dir=" + profile,
    "--no-first-run",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--font-render-hinting=none",
    // Its sandbox needs user namespaces that containers often lack; what is loaded here are our own pages.
    "--no-sandbox",
  ];
  for (const name of NAMES) {
    const child = spawn(name, args, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    const started = await new Promise((resolve) => child.once("spawn", () => resolve(true)).once("error", () => resolve(false)));
    if (started) {
      return new Browser(child, profile);
    }
  }
  throw new Error("none of " + NAMES.join(", ") + " is installed; sh test/web.sh fetch");
}

class Browser {
  #child;
  #profile;
  #pending = new Map();
  #listeners = new Map();
  #last = 0;
  #rest = "";

  constructor(child, profile) {
    this.#child = child;
    this.#profile = profile;
    child.stdio[4].setEncoding("utf8").on("data", (text) => this.#read(text));
    child.on("exit", () => this.#pending.forEach(({ reject }) => reject(new Error("the browser has ended"))));
  }

  #read(text) {
    const messages = (this.#rest + text).split("\0");
    this.#rest = messages.pop();
    for (const message of messages.map((each) => JSON.parse(each))) {
      const waiting = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      if (waiting && message.error) {
        waiting.reject(new Error(message.error.message));
      } else if (waiting) {
        waiting.resolve(message.result);
      } else {
        this.#listeners.get(message.sessionId)?.(message.method, message.params);
      }
    }
  }

  send(method, params = {}, sessionId = undefined) {
    const id = ++this.#last;
    this.#child.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => reject(new Error(method + ": no answer within five minutes")), 300000);
      const answered = (settle) => (value) => {
        clearTimeout(limit);
        settle(value);
      };
      this.#pending.set(id, { resolve: answered(resolve), reject: answered(reject) });
    });
  }

  /** A new tab of a size, dark or light. */
  async tab({ width = 1280, height = 900, dark = false } = {}) {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const tab = new Tab(this, sessionId, targetId, { width, height });
    this.#listeners.set(sessionId, (method, params) => tab.hear(method, params));
    await tab.prepare(dark);
    return tab;
  }

  async close() {
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    await this.send("Browser.close").catch(() => this.#child.kill());
    await ended;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** What is seen before any script of the page runs: violations of its policy, and how much of it moved by itself. */
const WATCH = `
  window.seen = { violations: [], shift: 0 };
  document.addEventListener("securitypolicyviolation", (event) => seen.violations.push(event.violatedDirective + " " + event.blockedURI));
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => seen.shift += entry.hadRecentInput ? 0 : entry.value))
    .observe({ type: "layout-shift", buffered: true });
`;

class Tab {
  #browser;
  #session;
  #target;
  #loaded = () => {};

  /** What the page said that it should not have, and all that it asked for. */
  complaints = [];
  requests = [];

  constructor(browser, session, target, size) {
    this.#browser = browser;
    this.#session = session;
    this.#target = target;
    this.size = size;
  }

  send(method, params) {
    return this.#browser.send(method, params, this.#session);
  }

  hear(method, params) {
    if (method === "Runtime.exceptionThrown") {
      this.complaints.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    } else if (method === "Runtime.consoleAPICalled" && ["error", "warning", "assert"].includes(params.type)) {
      this.complaints.push(params.args.map((each) => each.value ?? each.description).join(" "));
    } else if (method === "Log.entryAdded" && ["error", "warning"].includes(params.entry.level)) {
      this.complaints.push(params.entry.source + ": " + params.entry.text);
    } else if (method === "Network.requestWillBeSent") {
      this.requests.push(params.request.url);
    } else if (method === "Page.loadEventFired") {
      this.#loaded();
    }
  }

  async prepare(dark) {
    for (const domain of ["Page", "Runtime", "Log", "Network"]) {
      await this.send(domain + ".enable");
    }
    await this.send("Page.addScriptToEvaluateOnNewDocument", { source: WATCH });
    await this.resize(this.size.width, this.size.height);
    await this.look({ dark });
  }

  resize(width, height) {
    this.size = { width, height };
    return this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
  }

  look({ dark = false, paper = false }) {
    const features = [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }];
    return this.send("Emulation.setEmulatedMedia", { media: paper ? "print" : "", features });
  }

  /** Goes to an address and waits until the page has drawn itself. */
  async open(url, ready = "document.querySelector('#offcut-page')?.dataset.ready || document.querySelector('.failure')") {
    const loaded = new Promise((resolve) => (this.#loaded = resolve));
    await this.send("Page.navigate", { url });
    await loaded;
    await this.until(ready);
  }

  /** The value of an expression in the page; promises are waited for. */
  async ask(expression) {
    const answer = await this.send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
    if (answer.exceptionDetails) {
      throw new Error(expression + ": " + (answer.exceptionDetails.exception?.description ?? answer.exceptionDetails.text));
    }
    return answer.result.value;
  }

  /** Waits until an expression is true; after five minutes that is an error. */
  async until(expression) {
    const end = Date.now() + 300000;
    while (!(await this.ask("Boolean(" + expression + ")"))) {
      if (Date.now() > end) {
        throw new Error("did not happen: " + expression + "; the page said " + JSON.stringify(this.complaints));
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  text(selector) {
    return this.ask("document.querySelector(" + JSON.stringify(selector) + ")?.innerText ?? null");
  }

  async press(key, modifiers = 0) {
    const codes = {
      Tab: 9,
      Enter: 13,
      Escape: 27,
      " ": 32,
      PageUp: 33,
      PageDown: 34,
      End: 35,
      Home: 36,
      ArrowLeft: 37,
      ArrowUp: 38,
      ArrowRight: 39,
      ArrowDown: 40,
    };
    const text = key === "Enter" ? "\r" : key.length === 1 ? key : undefined;
    const event = { key, windowsVirtualKeyCode: codes[key] ?? key.toUpperCase().charCodeAt(0), modifiers, text };
    await this.send("Input.dispatchKeyEvent", { ...event, type: text ? "keyDown" : "rawKeyDown" });
    await this.send("Input.dispatchKeyEvent", { ...event, text: undefined, type: "keyUp" });
  }

  async mouse(type, x, y, more = {}) {
    await this.send("Input.dispatchMouseEvent", { type, x, y, ...more });
  }

  /** A picture of the window, of the whole page, or of one element. */
  async picture(file, { whole = false, of = null } = {}) {
    const box = of
      ? await this.ask(
          "(() => { const r = document.querySelector(" +
            JSON.stringify(of) +
            ").getBoundingClientRect(); return { x: r.x + scrollX, y: r.y + scrollY, width: r.width, height: r.height }; })()",
        )
      : whole
        ? { x: 0, y: 0, width: this.size.width, height: await this.ask("document.documentElement.scrollHeight") }
        : null;
    const { data } = await this.send("Page.captureScreenshot", {
      captureBeyondViewport: Boolean(box),
      clip: box ? { ...box, scale: 1 } : undefined,
    });
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, Buffer.from(data, "base64"));
  }

  close() {
    return this.#browser.send("Target.closeTarget", { targetId: this.#target });
  }
}
