package dev.offcut.cli.report;

import dev.offcut.cli.digest.Digest;
import dev.offcut.cli.digest.Figures;

/** The lines that each report begins with: whose it is, and what to know of it. */
final class Head {
  private Head() {}

  static void write(Text text, Digest digest) {
    Digest.Target target = digest.target();
    text.title(target.main() + process(target));
    digest.notes().forEach(note -> text.wrapped("  ", note));
    text.line();
  }

  private static String process(Digest.Target target) {
    return (target.pid() < 0 ? "" : ", process " + target.pid())
        + ", JDK "
        + target.jdk()
        + ", "
        + Figures.seconds(target.seconds())
        + ", level "
        + target.level()
        + (target.level().equals("sample") ? " (one stack in " + target.sampleEvery() + ")" : "");
  }
}
