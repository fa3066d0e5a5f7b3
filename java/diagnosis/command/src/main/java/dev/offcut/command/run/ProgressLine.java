package dev.offcut.command.run;

import static dev.offcut.command.read.Figures.bytes;
import static dev.offcut.command.read.Figures.count;

import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Figures;
import java.io.PrintStream;

/** One line on a terminal, written anew each second. */
final class ProgressLine {
  private static final String CLEAR = "\r\u001b[K";

  private final PrintStream err;
  private boolean shown;

  ProgressLine(PrintStream err) {
    this.err = err;
  }

  synchronized void show(Digest digest) {
    long seconds = Math.round(digest.target().seconds());
    long held = digest.kinds().stream().mapToLong(kind -> kind.bytes() + kind.lostBytes()).sum();
    long lost = digest.kinds().stream().mapToLong(Digest.Kind::lost).sum();
    long handles = digest.handles().stream().mapToLong(Digest.Handles::open).sum();
    err.print(
        "%soffcut: %s:%s  resident %s  tracked %s  lost %s  handles %s"
            .formatted(
                CLEAR,
                Figures.twoDigits(seconds / 60),
                Figures.twoDigits(seconds % 60),
                bytes(Math.max(0, digest.memory().resident())),
                bytes(held),
                count(lost),
                count(handles)));
    err.flush();
    shown = true;
  }

  synchronized void clear() {
    if (shown) {
      err.print(CLEAR);
      err.flush();
      shown = false;
    }
  }
}
