package dev.offcut.bench;

import dev.offcut.bench.read.FileRow;
import dev.offcut.bench.read.RunFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Kept rows judged anew: by the bars of their suite, and by where a peer is ahead. */
public final class Judged {
  private Judged() {}

  /** Bar, what was measured, the verdict; of the cases that have rows. Go's are not known here. */
  public static List<List<String>> bars(RunFile run) {
    Suite suite = Suites.named(run.suite());
    if (suite == null) {
      return List.of();
    }
    Rows rows = new Rows(run.rows().stream().map(row -> row(row, run)).toList());
    List<List<String>> lines = new ArrayList<>();
    for (Bar bar : suite.bars()) {
      if (run.rows().stream().anyMatch(row -> row.key().caseName().equals(bar.caseName()))) {
        Bar.Verdict verdict = bar.judge(rows);
        Double measured = verdict.measured();
        String number = measured == null ? "" : Numbers.brief(Objects.requireNonNull(measured));
        lines.add(List.of(verdict.bar(), number, verdict.word()));
      }
    }
    return lines;
  }

  /** The run's own JDK counts as ours, whatever this program runs on: bars are set there. */
  private static Row row(FileRow row, RunFile run) {
    FileRow.Key key = row.key();
    Jdk jdk =
        key.runtime().equals(run.fact("runtime"))
            ? Jdk.OWN
            : new Jdk(Path.of(""), key.runtime().replaceFirst("^java ", ""));
    Series series =
        new Series(key.caseName(), key.impl(), key.threads(), key.gc(), jdk, key.metric());
    return new Row(series, row.version(), row.value(), row.unit(), row.spread());
  }

  /** Place, metric, the peer and its value, ours and its value. */
  public static List<List<String>> ahead(RunFile run, Sides sides) {
    List<List<String>> lines = new ArrayList<>();
    for (FileRow ours : run.rows()) {
      if (!sides.isOurs(ours.key().impl())) {
        continue;
      }
      for (FileRow peer : run.rows()) {
        if (sides.isPeer(peer.key().impl())
            && peer.key().by(ours.key().impl()).equals(ours.key())
            && isBetter(peer, ours, sides.better(ours.key().metric()))) {
          lines.add(
              List.of(
                  ours.key().place(),
                  ours.key().metric(),
                  peer.key().impl(),
                  peer.text(),
                  ours.key().impl(),
                  ours.text()));
        }
      }
    }
    return lines;
  }

  private static boolean isBetter(FileRow peer, FileRow ours, Sides.Better better) {
    return switch (better) {
      case LOWER -> peer.value() < ours.value();
      case HIGHER -> peer.value() > ours.value();
      case NEITHER -> false;
    };
  }
}
