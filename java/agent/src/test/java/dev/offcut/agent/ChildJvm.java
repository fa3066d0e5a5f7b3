package dev.offcut.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A program in a process of its own, on the JDK of this one unless another is asked for. It has one
 * compiler and the serial collector, which start soonest, unless its options name another collector
 * or compiler.
 */
public final class ChildJvm {
  /** The agent as its users get it. */
  public static final Path AGENT = Path.of(System.getProperty("agent.jar"));

  private static final int SECONDS = 120;

  /** JDKs, or directories with JDKs in them, separated as paths are. */
  private static final String JVMS = "offcut.jvms";

  private static final Pattern VERSION = Pattern.compile("(?m)^JAVA_VERSION=\"(\\d+)");

  private final List<String> words = new ArrayList<>();

  /** A JVM with options, which may use native methods. */
  public static ChildJvm with(String... options) {
    return of(Path.of(System.getProperty("java.home")), options);
  }

  /**
   * The JDKs from 17 on that are there, one of each version: those of the property {@code
   * offcut.jvms}, else in the directories of the variable {@code OFFCUT_JVM_DIRS}, else in
   * /usr/lib/jvm.
   */
  public static SortedMap<Integer, Path> jvms() throws IOException {
    SortedMap<Integer, Path> found = new TreeMap<>();
    found.put(Runtime.version().feature(), Path.of(System.getProperty("java.home")));
    String folders = System.getProperty(JVMS, "");
    if (folders.isEmpty()) {
      folders = Objects.requireNonNullElse(System.getenv("OFFCUT_JVM_DIRS"), "/usr/lib/jvm");
    }
    for (String folder : folders.split(File.pathSeparator, -1)) {
      if (!folder.isEmpty() && Files.isDirectory(Path.of(folder))) {
        addJvm(found, Path.of(folder));
        try (DirectoryStream<Path> homes = Files.newDirectoryStream(Path.of(folder))) {
          for (Path home : homes) {
            addJvm(found, home);
            addJvm(found, home.resolve("Contents/Home"));
          }
        }
      }
    }
    return found.tailMap(17);
  }

  private static void addJvm(SortedMap<Integer, Path> found, Path home) throws IOException {
    Path release = home.resolve("release");
    if (Files.isReadable(release) && Files.isExecutable(home.resolve("bin/java"))) {
      Matcher version = VERSION.matcher(Files.readString(release));
      if (version.find()) {
        found.putIfAbsent(Integer.parseInt(version.group(1)), home);
      }
    }
  }

  /** A JVM of the JDK in a folder. */
  public static ChildJvm of(Path home, String... options) {
    ChildJvm jvm = new ChildJvm();
    jvm.words.add(home.resolve("bin/java").toString());
    jvm.words.add("-XX:+EnableDynamicAgentLoading"); // or newer JVMs warn of an attached agent
    List<String> chosen = List.of(options);
    if (chosen.stream().noneMatch(option -> option.matches("-XX:\\+Use\\w+GC"))) {
      jvm.words.add("-XX:+UseSerialGC");
    }
    if (chosen.stream().noneMatch(option -> option.matches("-Xint|-Xcomp|-XX:.*Tiered.*"))) {
      jvm.words.add("-XX:TieredStopAtLevel=1");
    }
    jvm.words.addAll(chosen);
    return jvm;
  }

  /** A JVM with the agent and its options. */
  public static ChildJvm withAgent(String agentOptions) {
    return with(agent(agentOptions));
  }

  /** The JVM's option that gives the agent these options. */
  public static String agent(String agentOptions) {
    return "-javaagent:" + AGENT + (agentOptions.isEmpty() ? "" : "=" + agentOptions);
  }

  /** One of the JNAs of the tests. */
  public static Path jna(String name) {
    Path jar = Path.of(System.getProperty("jna.jars"), name);
    assertThat(jar).exists();
    return jar;
  }

  /** Where a class of the tests was loaded from. */
  public static Path classes() {
    return Path.of(
        URI.create(ChildJvm.class.getProtectionDomain().getCodeSource().getLocation().toString()));
  }

  /** Adds options or arguments. */
  public ChildJvm and(Object... more) {
    for (Object word : more) {
      words.add(String.valueOf(word));
    }
    return this;
  }

  /** Adds a class path. */
  public ChildJvm classPath(Path... entries) {
    List<String> path = new ArrayList<>();
    for (Path entry : entries) {
      path.add(entry.toString());
    }
    return and("-cp", String.join(File.pathSeparator, path));
  }

  /** What a process printed, and its exit code. */
  public record Output(List<String> out, List<String> err, int exitCode) {
    /** What the agent said. */
    public List<String> said() {
      return err.stream().filter(line -> line.startsWith("offcut: ")).toList();
    }

    /** The value behind a word that the program printed. */
    public String value(String word) {
      return out.stream()
          .filter(line -> line.startsWith(word + " "))
          .map(line -> line.substring(word.length() + 1))
          .findFirst()
          .orElseThrow(() -> new AssertionError("no " + word + " in " + this));
    }
  }

  /** Puts words before the JVM's: a program that starts it. */
  public ChildJvm startedBy(String... starter) {
    words.addAll(0, List.of(starter));
    return this;
  }

  /** Starts it, with pipes for what it reads and prints. */
  public Process start() throws IOException {
    return new ProcessBuilder(words).start();
  }

  /** Runs it to its end, which must be a good one. */
  public Output run() throws IOException, InterruptedException {
    Output output = runToAnyEnd();
    assertThat(output.exitCode()).as("%s: %s", words, output).isZero();
    return output;
  }

  /** Runs it to its end. */
  public Output runToAnyEnd() throws IOException, InterruptedException {
    Path out = Files.createTempFile("offcut-agent", ".out");
    Path err = Files.createTempFile("offcut-agent", ".err");
    Process process =
        new ProcessBuilder(words).redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    process.getOutputStream().close(); // it reads nothing
    boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
    if (!ended) {
      process.destroyForcibly().waitFor();
    }
    Output output =
        new Output(Files.readAllLines(out), Files.readAllLines(err), process.exitValue());
    Files.delete(out);
    Files.delete(err);
    assertThat(ended).as("%s ended: %s", words, output).isTrue();
    return output;
  }
}
