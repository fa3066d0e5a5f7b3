package dev.offcut.command.show;

import static dev.offcut.command.read.Figures.bytes;

import dev.offcut.command.read.Json;
import dev.offcut.command.read.JvmList;
import dev.offcut.command.read.LeftRuns;
import dev.offcut.command.read.Leftovers.Leftover;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The JVMs that run, for people and for other programs; and what runs left, for people. */
public final class ProgramTable {
  private static final DateTimeFormatter WRITTEN =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneId.systemDefault());

  private ProgramTable() {}

  public static String text(List<JvmList.Listed> jvms) {
    Table table = Table.withWordsFrom(4).add("PID", "JAVA", "AGENT", "RECORDS", "PROGRAM");
    for (JvmList.Listed jvm : jvms) {
      String java = jvm.java();
      String agent = jvm.agent();
      table.add(
          String.valueOf(jvm.pid()),
          java == null ? "no answer" : java,
          agent == null ? "-" : agent,
          jvm.records() ? "yes" : "-",
          jvm.main());
    }
    return table.text();
  }

  public static String left(List<LeftRuns.Left> runs) {
    Table table = Table.withWordsFrom(2).add("WRITTEN", "SIZE", "STATE", "FILES OF RUNS");
    for (LeftRuns.Left run : runs) {
      table.add(
          WRITTEN.format(run.written()),
          bytes(run.bytes()),
          run.goesOn() ? "runs" : "ended",
          files(run));
    }
    return table.text();
  }

  /** What killed commands and programs left, a row each. {@code listed}: it is still there. */
  public static String leftovers(List<Leftover> all, boolean listed, Instant now) {
    Table table = Table.withWordsFrom(2).add("SIZE", "AGE", listed ? "WOULD REMOVE" : "REMOVED");
    for (Leftover one : all) {
      table.add(
          bytes(one.bytes()),
          age(Duration.between(one.changed(), now)),
          String.valueOf(one.path()).replaceAll("\\p{Cntrl}", "?") + " (" + one.what() + ")");
    }
    return table.text();
  }

  private static String age(Duration age) {
    if (age.toSeconds() < 120) {
      return Math.max(0, age.toSeconds()) + " s";
    }
    if (age.toMinutes() < 120) {
      return age.toMinutes() + " min";
    }
    return age.toHours() < 48 ? age.toHours() + " h" : age.toDays() + " days";
  }

  /** The one to read, and the endings of those beside it. */
  private static String files(LeftRuns.Left left) {
    Path first = left.files().getFirst();
    Path source = left.source();
    if (left.files().size() == 1 || source == null) {
      return first.toString();
    }
    String name = source.toString();
    String stem = name.substring(0, name.lastIndexOf('.'));
    StringBuilder text = new StringBuilder(name);
    for (Path file : left.files()) {
      if (!file.equals(source)) {
        text.append(", ").append(file.toString().substring(stem.length()));
      }
    }
    return text.toString();
  }

  public static String json(List<JvmList.Listed> jvms) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("schema", "offcut.ps/1");
    all.put("programs", jvms);
    return Json.text(all);
  }
}
