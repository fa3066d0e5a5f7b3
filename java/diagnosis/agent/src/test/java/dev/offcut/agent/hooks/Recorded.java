package dev.offcut.agent.hooks;

import dev.offcut.test.AgentJvm;
import dev.offcut.test.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** What a recording of the agent says at its end. */
public final class Recorded {
  private static final Object[] VERIFYING = {
    "-XX:+UnlockDiagnosticVMOptions", "-XX:+BytecodeVerificationLocal"
  };

  public final ChildJvm.Output output;
  final List<RecordedEvent> events;

  private Recorded(ChildJvm.Output output, List<RecordedEvent> events) {
    this.output = output;
    this.events = events;
  }

  /**
   * Runs the program that uses all kinds under the agent with options, and reads what was recorded.
   * The JVM verifies all classes of the JDK, too, and so what was put into them.
   */
  public static Recorded run(Path folder, String options, Object... arguments) throws Exception {
    ChildJvm jvm = AgentJvm.with().and(VERIFYING);
    return run(folder, jvm, TrackedProgram.class, options, arguments);
  }

  public static Recorded run(
      Path folder, ChildJvm jvm, Class<?> program, String options, Object... arguments)
      throws Exception {
    Path file = folder.resolve("recording.jfr");
    ChildJvm.Output output =
        jvm.and(AgentJvm.agent(options + ",gcatexit=on,record=" + file))
            .classPath(AgentJvm.classes(), AgentJvm.library("jna.jar"))
            .and(program.getName())
            .and(arguments)
            .run();
    return new Recorded(output, read(file));
  }

  public static List<RecordedEvent> read(Path file) throws IOException {
    return RecordingFile.readAllEvents(file);
  }

  /** All events of a name, in the order of their times. */
  public List<RecordedEvent> all(String name) {
    return named("offcut." + name);
  }

  /** Likewise, of the JDK. */
  List<RecordedEvent> ofTheJdk(String name) {
    return named("jdk." + name);
  }

  private List<RecordedEvent> named(String name) {
    List<RecordedEvent> all = new ArrayList<>();
    for (RecordedEvent event : events) {
      if (event.getEventType().getName().equals(name)) {
        all.add(event);
      }
    }
    all.sort((a, b) -> a.getStartTime().compareTo(b.getStartTime()));
    return all;
  }

  /** The last numbers of each kind. */
  public Map<String, RecordedEvent> kinds() {
    Map<String, RecordedEvent> last = new LinkedHashMap<>();
    for (RecordedEvent event : all("ResourceStatistics")) {
      last.put(event.getString("kind"), event);
    }
    return last;
  }

  /** The last numbers of a kind, which must be there. */
  RecordedEvent last(String kind) {
    return Objects.requireNonNull(kinds().get(kind), kind);
  }

  /** The last numbers of a kind as text. */
  public String kind(String kind) {
    RecordedEvent event = kinds().get(kind);
    return event == null ? "nothing" : text(event);
  }

  /** The last numbers of each place of a kind that a method of the program opens at. */
  List<String> sites(String kind, String method) {
    List<String> texts = new ArrayList<>();
    for (RecordedEvent site : lastSites(kind, method)) {
      texts.add(text(site));
    }
    return texts;
  }

  /** The bytes that are open of each of those. */
  List<Long> siteBytes(String kind, String method) {
    List<Long> bytes = new ArrayList<>();
    for (RecordedEvent site : lastSites(kind, method)) {
      bytes.add(site.getLong("bytes"));
    }
    return bytes;
  }

  /** The last event of each. */
  List<RecordedEvent> lastSites(String kind, String method) {
    Map<String, RecordedEvent> last = new LinkedHashMap<>();
    for (RecordedEvent event : all("ResourceSite")) {
      if (event.getString("kind").equals(kind)) {
        last.put(event.getString("site"), event);
      }
    }
    List<RecordedEvent> sites = new ArrayList<>();
    for (Map.Entry<String, RecordedEvent> site : last.entrySet()) {
      if (site.getKey().contains("." + method + "(")) {
        sites.add(site.getValue());
      }
    }
    return sites;
  }

  private static String text(RecordedEvent event) {
    StringBuilder text = new StringBuilder();
    for (String field : List.of("opened", "closed", "collected", "lost", "open")) {
      long number = event.getLong(field);
      if (number != 0) {
        text.append(text.isEmpty() ? "" : " ").append(field).append(' ').append(number);
      }
    }
    return text.toString();
  }
}
