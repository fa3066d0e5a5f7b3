package dev.offcut.command.read;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What events say of the program itself: who it is, when it began, what the agent does in it. */
final class Program {
  /** Begins the agent's lines about objects of classes that rules name. */
  private static final String BY_RULE = "closeables: ";

  private static final String NO_AGENT = "none";

  private long pid = -1;
  private String commandLine = "";
  private String jdk = "";
  private @Nullable Instant started;
  private Instant first = Instant.MAX;
  private Instant last = Instant.MIN;

  /** What the agent said last: that alone knows how the program ended. Null without one. */
  private @Nullable Fields agent;

  private String handleLevel = "";
  private int handleSampleEvery;
  private boolean isGo;
  private boolean isCounted;
  private List<String> packages = List.of();
  private final List<String> unpublished = new ArrayList<>();

  /** Any event: how long the program is known to have run. */
  void seen(Fields event) {
    Instant from = event.time();
    Instant to = event.end();
    first = from.isBefore(first) ? from : first;
    last = to.isAfter(last) ? to : last;
  }

  /** A part of the tables that the agent could not publish. */
  void unpublished(Fields row) {
    if (row.number("count", 0) > 0) {
      String cause = row.text("cause");
      unpublished.add(
          "The agent has not been able to publish %s since %s%s: those figures are from before."
              .formatted(
                  row.text("part"),
                  Objects.requireNonNullElse(row.instant("since"), Instant.EPOCH)
                      .truncatedTo(ChronoUnit.SECONDS),
                  cause.isEmpty() ? "" : " (" + cause + ")"));
    }
  }

  /** The version of the JDK, such as 25; 0 if it is not known. */
  int feature() {
    String digits = jdk.replaceFirst("[^0-9].*", "");
    return digits.isEmpty() ? 0 : Integer.parseInt(digits);
  }

  List<String> unpublished() {
    return unpublished;
  }

  void jvm(Fields event) {
    pid = event.number("pid", pid);
    commandLine = event.text("javaArguments");
    jdk = version(event.text("jvmVersion"));
    started = event.instant("jvmStartTime");
  }

  void process(long process, String command, String java) {
    pid = process;
    commandLine = command;
    jdk = java;
  }

  void go(Fields row) {
    pid = row.number("pid", pid);
    commandLine = row.text("main");
    String arguments = row.text("arguments");
    commandLine += arguments.isEmpty() ? "" : " " + arguments;
    jdk = row.text("version");
    started = row.instant("started");
    isGo = true;
    isCounted = row.number("counts", 1) != 0;
    packages = List.of(row.text("packages").split(","));
  }

  /** How handles are recorded; of a program without an agent, that is its level. */
  void handles(Fields event) {
    handleLevel = event.text("level");
    handleSampleEvery = (int) event.number("sampleEvery");
  }

  boolean isGo() {
    return isGo;
  }

  /** Whether it counts anything itself; a Go program. */
  boolean isCounted() {
    return isCounted;
  }

  /** Of a Go program: Offcut's packages in it; if nothing is counted, the modules in it. */
  List<String> packages() {
    return packages;
  }

  boolean isRecorded() {
    return !first.equals(Instant.MAX);
  }

  /** Events come in any order: of the agent's the latest counts. */
  void agent(Fields event) {
    if (agent == null || !event.time().isBefore(agent.time())) {
      agent = event;
    }
  }

  private String told(String field) {
    return agent == null ? "" : agent.text(field);
  }

  private long figure(String field) {
    return agent == null ? 0 : agent.number(field);
  }

  /** A value of the options as the agent understood them; empty if it did not say. */
  private static String option(String options, String name) {
    for (String one : options.split(",", -1)) {
      if (one.startsWith(name + "=")) {
        return one.substring(name.length() + 1);
      }
    }
    return "";
  }

  /** What the agent rewrites, in its words; empty if it did not say. */
  List<String> patched() {
    return told("patched").lines().toList();
  }

  /** Which rules for closeables the agent used: on, off, file or default; empty if not known. */
  String rules() {
    return option(told("options"), "rules");
  }

  /** {@code … (25.0.3+9-LTS) for linux-amd64 …}: the version in the parentheses. */
  private static String version(String text) {
    int open = text.indexOf('(');
    int close = text.indexOf(')', open + 1);
    String version = open < 0 || close < 0 ? text : text.substring(open + 1, close);
    int build = version.indexOf('+');
    return build < 0 ? version : version.substring(0, build);
  }

  long pid() {
    return pid;
  }

  boolean hasAgent() {
    return !level().equals(NO_AGENT);
  }

  String agentVersion() {
    return told("version");
  }

  String level() {
    return agent == null ? NO_AGENT : agent.text("level");
  }

  /** What the agent did not see, as it came later; a sentence, or empty. */
  String missed() {
    if (agent == null || agent.number("attached") <= 0) {
      return "";
    }
    List<String> all = new ArrayList<>();
    long buffers = agent.number("missedBuffers", -1);
    if (buffers >= 0) {
      all.add(
          Figures.count(buffers)
              + " direct "
              + (buffers == 1 ? "buffer" : "buffers")
              + " with "
              + Figures.bytes(Math.max(0, agent.number("missedBufferBytes"))));
    }
    long mapped = agent.number("missedMappedBytes", -1);
    if (mapped >= 0) {
      all.add(Figures.bytes(mapped) + " of mapped files");
    }
    long malloc = agent.number("missedMallocBytes", -1);
    if (malloc >= 0) {
      all.add(
          Figures.bytes(malloc)
              + " of malloc in use, including the JVM's own part and the buffers");
    }
    return all.isEmpty()
        ? "The program was running already when the agent was attached. How much was open then is"
            + " not known."
        : "The program was running already when the agent was attached. At that time it had "
            + String.join("; ", all)
            + ". No count and no call site includes these.";
  }

  /** Of so many bytes one was a reason to record a stack; 0: none was. */
  long sampleBytes() {
    return figure("sampleBytes");
  }

  List<String> stoodDown() {
    return told("stoodDown").lines().toList();
  }

  /** Of these, what is about objects of classes that rules name. */
  List<String> stoodDownByRule() {
    return stoodDown().stream().filter(line -> line.startsWith(BY_RULE)).toList();
  }

  /** Why its main method was never called; empty if it was, or if that is not known. */
  String startFailure() {
    return told("startFailure");
  }

  /** The class of what its main method threw; empty if it threw nothing that is known. */
  String uncaught() {
    return told("uncaught");
  }

  /** What it ended with, 0 if that is not known: an exception of main ends it with 1. */
  int exitCode() {
    long code = agent == null ? -1 : agent.number("exitCode", -1);
    return code < 0 && !uncaught().isEmpty() ? 1 : (int) Math.max(0, code);
  }

  /** When the last event was; long ago if there was none. */
  Instant end() {
    return isRecorded() ? last : Instant.EPOCH;
  }

  /** When it began to end, before its shutdown closed anything; or when it was last looked at. */
  Instant ending() {
    return Objects.requireNonNullElseGet(ended(), this::end);
  }

  /** When its shutdown began; null if it has not, or if that is not known. */
  @Nullable Instant ended() {
    Instant ending = agent == null ? null : agent.instant("ending");
    return ending == null || ending.toEpochMilli() == 0 ? null : ending;
  }

  /** Zero is where the series begin. */
  double secondsAt(Instant time) {
    return Duration.between(begin(), time).toMillis() / 1000.0;
  }

  Instant begin() {
    return started == null ? first : started;
  }

  /** Which classes are the program's own, as far as the name of its main class tells. */
  dev.offcut.rules.Program ownClasses() {
    String main = target().main();
    boolean isClass = !isGo && isRecorded() && !main.endsWith(".jar");
    return dev.offcut.rules.Program.of(
        isClass ? main.substring(main.indexOf('/') + 1) : null, null, true);
  }

  Digest.Target target() {
    boolean known = isRecorded();
    List<String> words = commandLine.isEmpty() ? List.of() : List.of(commandLine.split(" "));
    return new Digest.Target(
        pid,
        words.isEmpty() ? "unknown" : words.getFirst(),
        words,
        jdk.isEmpty() && known ? "unknown" : jdk,
        known ? begin().toString() : "",
        known ? Math.max(0, secondsAt(last)) : 0,
        isGo && !handleLevel.isEmpty() ? handleLevel : level(),
        isGo ? handleSampleEvery : (int) figure("sampleEvery"));
  }
}
