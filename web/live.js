// The page of a process that runs: figures that change each second, until it ends.

import { h } from "./library/dom.js";
import { listen } from "./library/source.js";

/** `page`: what page.js has built. `failed(error)`: what came cannot be shown. While paused, the page stays as it is. */
export class Live {
  #page;
  #failed;
  #pause = h("button", { type: "button", "aria-pressed": "false" }, "Pause");
  #report = null; // the newest
  #state = "waiting";
  #paused = false;
  #due = false;

  constructor(page, failed) {
    this.#page = page;
    this.#failed = failed;
    const save = h("a", { class: "button", href: "api/v1/snapshot", download: "offcut-snapshot.json" }, "Save as JSON");
    page.root.classList.add("moving");
    page.tools.append(this.#pause, save);
    this.#pause.addEventListener("click", () => this.#toggle());
  }

  start() {
    this.#draw();
    listen((state, report) => {
      this.#state = state;
      this.#report = report ?? this.#report;
      this.#soon();
    }, this.#failed);
  }

  #toggle() {
    this.#paused = !this.#paused;
    this.#pause.setAttribute("aria-pressed", String(this.#paused));
    this.#pause.textContent = this.#paused ? "Go on" : "Pause";
    this.#soon();
  }

  /** Once a frame at most, and not at all while the page is out of sight. */
  #soon() {
    if (!this.#due) {
      this.#due = true;
      requestAnimationFrame(() => this.#draw());
    }
  }

  #draw() {
    this.#due = false;
    this.#page.say(this.#paused ? "paused" : this.#state);
    if (this.#report && !this.#paused) {
      this.#page.draw({ ...this.#report, over: this.#state === "ended" }, "offcut, " + this.#state);
    }
  }
}
