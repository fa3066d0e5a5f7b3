package dev.offcut.junit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Resources of one kind that a test opened at one line and did not close.
 *
 * @param kind what they are
 * @param open how many are open
 * @param gone how many were found unreachable before they were closed
 * @param site the stack of the opening, the program's line first
 */
record Leak(String kind, long open, long gone, List<StackTraceElement> site) {
  private static final int MOST_SHOWN = 5;

  /** Where the stack leaves the program: who called the test is of no use. */
  private static final List<String> OUTSIDE =
      List.of("org.junit.", "jdk.internal.reflect.", "java.lang.reflect.", "dev.offcut.junit.");

  /** Where the stack is not yet in the program: its own line comes first. */
  private static final List<String> JDK = List.of("java.", "javax.", "jdk.", "sun.");

  Leak {
    List<StackTraceElement> own = new ArrayList<>();
    for (StackTraceElement frame : site) {
      if (own.isEmpty() && JDK.stream().anyMatch(frame.getClassName()::startsWith)) {
        continue;
      }
      if (OUTSIDE.stream().anyMatch(frame.getClassName()::startsWith)) {
        break;
      }
      own.add(frame);
    }
    site = own.isEmpty() ? List.copyOf(site) : List.copyOf(own);
  }

  long count() {
    return open + gone;
  }

  /** Whether its kind, or the class and the method of its line, begins with a text. */
  boolean beginsWith(String text) {
    if (kind.startsWith(text) || site.isEmpty()) {
      return kind.startsWith(text);
    }
    StackTraceElement line = site.get(0);
    return (line.getClassName() + "." + line.getMethodName()).startsWith(text);
  }

  /** The same, those of one kind and line together: a line may open by several ways. */
  static List<Leak> byLine(List<Leak> leaks) {
    Map<String, Leak> byLine = new LinkedHashMap<>();
    for (Leak leak : leaks) {
      byLine.merge(leak.kind + "\n" + leak.line(), leak, Leak::plus);
    }
    return List.copyOf(byLine.values());
  }

  private Leak plus(Leak other) {
    return new Leak(kind, open + other.open, gone + other.gone, site);
  }

  /** How it differs from the same leak at an earlier look; its count is 0 if it does not. */
  Leak since(List<Leak> before) {
    long openBefore = 0;
    long goneBefore = 0;
    for (Leak one : before) {
      if (one.kind.equals(kind) && one.line().equals(line())) {
        openBefore += one.open;
        goneBefore += one.gone;
      }
    }
    long more = Math.max(0, count() - openBefore - goneBefore);
    return new Leak(kind, Math.min(open, more), more - Math.min(open, more), site);
  }

  /**
   * The failure: one line that says what and where, then each leak.
   *
   * @param of whose they are, such as {@code PhotosTest.shows()}
   * @param when what has ended without a close
   */
  static NativeLeakError error(String of, String when, List<Leak> leaks, String advice) {
    List<Leak> most = new ArrayList<>(leaks);
    most.sort(Comparator.comparingLong(Leak::count).reversed());
    Leak first = most.get(0);
    StringBuilder text = new StringBuilder();
    text.append(String.format(Locale.ROOT, "%s: %s not closed %s", of, first.opened(), when));
    if (most.size() > 1) {
      text.append(String.format(Locale.ROOT, " (and %,d more lines)", most.size() - 1));
    }
    for (Leak leak : most.subList(0, Math.min(most.size(), MOST_SHOWN))) {
      leak.appendTo(text);
    }
    text.append("\n  try        ").append(advice);
    return new NativeLeakError(text.toString(), first.site);
  }

  /** Leaks for which no test fails, in a sentence without a full stop. */
  static String ignored(String of, List<Leak> leaks) {
    List<String> lines = new ArrayList<>();
    long count = 0;
    for (Leak leak : byLine(leaks)) {
      count += leak.count();
      lines.add(leak.opened());
    }
    int most = Math.min(lines.size(), MOST_SHOWN);
    return String.format(
        Locale.ROOT,
        "ignores %,d known %s of %s: %s%s",
        count,
        count == 1 ? "leak" : "leaks",
        of,
        String.join("; ", lines.subList(0, most)),
        lines.size() > most ? String.format("; and %,d more lines", lines.size() - most) : "");
  }

  private String opened() {
    return String.format(Locale.ROOT, "%,d %s opened at %s", count(), kind, line());
  }

  private String line() {
    return site.isEmpty() ? "a line that was not recorded" : String.valueOf(site.get(0));
  }

  private void appendTo(StringBuilder text) {
    text.append(
        String.format(
            Locale.ROOT,
            "%nLEAK  %s  %,d still open, %,d unreachable without a close",
            kind,
            open,
            gone));
    String lead = "\n  opened at  ";
    for (StackTraceElement frame : site) {
      text.append(lead).append(frame);
      lead = "\n             ";
    }
  }
}
