// A small server of the live page, as the command's own one serves it: a token in the path, a strict policy, a stream of reports.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const web = fileURLToPath(new URL("..", import.meta.url));

export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'";
const TYPES = { html: "text/html; charset=utf-8", js: "text/javascript; charset=utf-8", css: "text/css; charset=utf-8" };

/** Serves `report()`; `refusing` makes it answer 503 to the stream and to the snapshot. */
export class LiveServer {
  #server = createServer((request, response) => this.#answer(request, response));
  #streams = new Set();
  #report;
  refusing = false;
  refused = 0;
  opened = 0;
  ended = false;

  constructor(report) {
    this.#report = report;
  }

  async start() {
    await new Promise((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return "http://127.0.0.1:" + this.#server.address().port + "/token/";
  }

  #answer(request, response) {
    response.setHeader("Content-Security-Policy", POLICY);
    response.setHeader("X-Content-Type-Options", "nosniff");
    const name = request.url.startsWith("/token/") ? request.url.slice("/token/".length) || "live.html" : null;
    if (name === null || name.includes("..")) {
      response.writeHead(404).end();
    } else if (name.startsWith("api/") && this.refusing) {
      this.refused++;
      response.writeHead(503).end();
    } else if (name === "api/v1/snapshot") {
      response.setHeader("Content-Type", "application/json").end(JSON.stringify(this.#report()));
    } else if (name === "api/v1/stream") {
      this.#stream(response);
    } else {
      this.#file(name, response);
    }
  }

  #stream(response) {
    response.setHeader("Content-Type", "text/event-stream").write("retry: 200\n\n");
    this.#streams.add(response);
    this.opened++;
    response.write(event(this.#report()));
    if (this.ended) {
      response.write(LAST);
    }
    response.on("close", () => this.#streams.delete(response));
  }

  #file(name, response) {
    try {
      response.setHeader("Content-Type", TYPES[name.split(".").pop()] ?? "application/octet-stream").end(readFileSync(join(web, name)));
    } catch {
      response.writeHead(404).end();
    }
  }

  /** Sends the report as it is now to everyone who listens. */
  push(report = this.#report()) {
    this.#streams.forEach((stream) => stream.write(event(report)));
  }

  /** Says to everyone who listens, and who will, that there is no more. */
  end() {
    this.ended = true;
    this.#streams.forEach((stream) => stream.write(LAST));
  }

  /** Breaks every stream. */
  drop() {
    this.#streams.forEach((stream) => stream.destroy());
  }

  stop() {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(resolve));
  }
}

const LAST = "event: last\ndata: last\n\n";

function event(report) {
  return "event: snapshot\ndata: " + JSON.stringify(report) + "\n\n";
}
