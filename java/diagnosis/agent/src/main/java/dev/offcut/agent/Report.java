package dev.offcut.agent;

import dev.offcut.agent.stream.StreamReport;
import dev.offcut.agent.stream.StreamRetrofit;
import dev.offcut.agent.track.TrackReport;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What the agent saved, in lines: on request, or when the program ends. */
final class Report implements Runnable {
  private static final String STDERR = "stderr";

  private final String file;

  private Report(String file) {
    this.file = file;
  }

  /**
   * Writes it when the program has ended and its shutdown hooks too, into a file, or on stderr if
   * it is called so.
   */
  static void atExit(String file, Instrumentation instrumentation) {
    LastStep.add(instrumentation, "offcut report", new Report(file));
  }

  @Override
  public void run() {
    try {
      List<String> lines = lines();
      if (file.equals(STDERR)) {
        lines.forEach(Messages::print);
      } else {
        Files.write(Path.of(file), lines);
      }
    } catch (IOException | RuntimeException | ReflectiveOperationException e) {
      // At exit nobody else would hear of it: a path that is none, a security manager that forbids.
      Messages.say("the report could not be written to " + file + " (" + e + ")");
    }
  }

  /** The whole of it. */
  static List<String> lines() throws ReflectiveOperationException {
    List<String> lines = new ArrayList<>();
    lines.add(
        "Offcut agent "
            + Presence.version()
            + ": object streams of the JVM "
            + ProcessHandle.current().pid()
            + " on JDK "
            + System.getProperty("java.version"));
    StreamReport streams = StreamRetrofit.report();
    lines.addAll(streams == null ? unwritten() : streams.lines());
    TrackReport tracked = TrackReport.now();
    if (tracked != null) {
      lines.addAll(tracked.lines());
    }
    return lines;
  }

  /** The whole of it; places and classes are recorded from now on. */
  static List<String> recording() throws ReflectiveOperationException {
    List<String> lines = lines();
    if (StreamRetrofit.record()) {
      lines.add("Call sites and classes are recorded from now on; ask again later.");
    }
    return lines;
  }

  /** The sums. */
  static List<String> summary() throws ReflectiveOperationException {
    StreamReport streams = StreamRetrofit.report();
    return streams == null ? unwritten() : streams.summary();
  }

  private static List<String> unwritten() {
    return List.of("object streams were not rewritten, so nothing is counted");
  }
}
