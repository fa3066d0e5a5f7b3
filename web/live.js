// The page of a process that runs: figures that change each second, until it ends.

import { h } from "./library/dom.js";
import { listen } from "./library/source.js";

/** `page`: what page.js has built. `failed(error)`: what came cannot be shown. While paused, the page stays as it is. */
export class Live {
  #page;
  #failed;
  #pause = h("button", { type: "button", "aria-pressed": "false" }, "Pause");
  #mark = h("button", { type: "button", disabled: true }, "Mark");
  #marks = null; // {first, second}: reports
  #report = null; // the newest
  #state = "waiting";
  #paused = false;
  #due = false;

  constructor(page, failed) {
    this.#page = page;
    this.#failed = failed;
    const save = h("a", { class: "button", href: "api/v1/snapshot", download: "offcut-snapshot.json" }, "Save as JSON");
    page.root.classList.add("moving");
    page.tools.append(this.#mark, this.#pause, save);
    this.#pause.addEventListener("click", () => this.#toggle());
    this.#mark.addEventListener("click", () => this.#setMark());
  }

  start() {
    this.#page.wait("The first figures come one second after the program started. If none come, the command that started this page prints the reason.");
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

  /** The first mark, then the second, then the first of another two. */
  #setMark() {
    const isSecond = this.#marks && !this.#marks.second;
    this.#marks = isSecond ? { ...this.#marks, second: this.#report } : { first: this.#report, second: null };
    this.#mark.textContent = isSecond ? "Mark anew" : "Second mark";
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
    this.#mark.disabled = !this.#report;
    if (this.#report && !this.#paused) {
      this.#page.draw({ ...this.#report, over: this.#state === "ended", marks: this.#marks }, "offcut, " + this.#state);
    }
  }
}
