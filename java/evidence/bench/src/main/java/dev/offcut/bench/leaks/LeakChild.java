package dev.offcut.bench.leaks;

import dev.offcut.bench.Agent;
import dev.offcut.bench.child.Figure;
import dev.offcut.bench.leaks.Finder.Seen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Runs one program of the collection under one tool, broken and fixed, and judges what it says. */
final class LeakChild {
  private LeakChild() {}

  /** {@code TOOL LEAK}. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Finder finder = LeaksSuite.finder(args[0]);
    for (Figure figure : figures(finder, Leak.named(args[1]), Program.jar())) {
      System.out.println(figure.line());
    }
  }

  /** {@code classes}: the jar or the folder of the collection's classes. */
  static List<Figure> figures(Finder finder, Leak leak, Path classes)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("offcut-bench-leaks-");
    try {
      Seen seen = finder.look(program(leak, true, folder, classes));
      Seen fixed = finder.look(program(leak, false, folder, classes));
      System.out.println("broken: " + seen.verdict() + ": " + seen.said());
      System.out.println("fixed: " + fixed.said());
      return List.of(
          new Figure(LeaksSuite.FOUND, seen.verdict().figure(), "share"),
          new Figure(LeaksSuite.ALARM, fixed.isFalseAlarm(seen) ? 1 : 0, "alarms"));
    } finally {
      Agent.delete(folder);
    }
  }

  private static Program program(Leak leak, boolean broken, Path folder, Path classes)
      throws IOException {
    Path its = Files.createDirectory(folder.resolve(broken ? "broken" : "fixed"));
    return new Program(leak, broken, its, classes);
  }
}
