// Where the figures come from: the page itself, or a process that sends them while it runs.

export const SCHEMA = "offcut.report/2";

/** Those of older commands that this page shows, too. */
const OLDER = ["offcut.report/1"];

/** The data that stand in a page: JSON, or JSON packed with gzip and written in base64. */
export async function embedded(element) {
  const text = element.textContent.trim();
  return JSON.parse(/^[[{]/.test(text) ? text : await unpacked(text));
}

async function unpacked(base64) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

/** A report that this page can show; otherwise an error that says what to do. */
export function checked(report) {
  if (report?.schema !== SCHEMA && !OLDER.includes(report?.schema)) {
    throw new Error(
      "These data are " + (report?.schema ?? "no report of offcut") + "; this page shows " + SCHEMA + ". Use the offcut that wrote them.",
    );
  }
  return report;
}

/** How long to wait before the n-th try in a row: 1, 2, 4, 8, then 10 seconds. */
export function patience(tries) {
  return Math.min(10000, 1000 * 2 ** tries);
}

/**
 * Listens to `api/v1/stream`, relative to the page; what comes first is the report as it is, if there is one. `changed(state, report)`
 * is called with "live" for each snapshot; without a report, with "ended" when the stream says that this was the last one, and with
 * "lost" when the connection breaks. Whether a report is complete is another question: that of a program that was killed is not.
 * A browser takes up a stream that broke by itself but gives up when it is refused; then this tries again, ever more patiently.
 * `failed(error)`: what came cannot be shown.
 */
export function listen(changed, failed) {
  let tries = 0;
  open();

  function open() {
    const stream = new EventSource("api/v1/stream");
    stream.addEventListener("snapshot", (event) => {
      tries = 0;
      try {
        const report = checked(JSON.parse(event.data));
        changed("live", report);
      } catch (error) {
        stream.close();
        failed(error);
      }
    });
    stream.addEventListener("last", () => {
      stream.close();
      changed("ended");
    });
    stream.addEventListener("error", () => {
      changed("lost");
      if (stream.readyState === EventSource.CLOSED) {
        setTimeout(open, patience(tries++));
      }
    });
  }
}
