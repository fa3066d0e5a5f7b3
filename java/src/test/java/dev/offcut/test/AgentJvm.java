package dev.offcut.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * JVMs with the agent and without. They have one compiler and the serial collector, which start
 * soonest, unless their options name another collector or compiler.
 */
public final class AgentJvm {
  /** The agent as its users get it. */
  public static final Path AGENT = Path.of(System.getProperty("agent.jar"));

  /** JDKs, or directories with JDKs in them, separated as paths are. */
  private static final String JVMS = "offcut.jvms";

  private static final Pattern VERSION = Pattern.compile("(?m)^JAVA_VERSION=\"(\\d+)");

  private AgentJvm() {}

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

  /** The versions of those, for tests that run on each. */
  public static Set<Integer> versions() throws IOException {
    return jvms().keySet();
  }

  /** A JVM of the JDK of a version that is there. */
  public static ChildJvm of(int version, String... options) throws IOException {
    return of(Objects.requireNonNull(jvms().get(version)), options);
  }

  /** A JVM of the JDK in a folder. */
  public static ChildJvm of(Path home, String... options) {
    ChildJvm jvm = ChildJvm.of(home);
    jvm.and("-XX:+EnableDynamicAgentLoading"); // or newer JVMs warn of an attached agent
    List<String> chosen = List.of(options);
    if (chosen.stream().noneMatch(option -> option.matches("-XX:\\+Use\\w+GC"))) {
      jvm.and("-XX:+UseSerialGC");
    }
    if (chosen.stream().noneMatch(option -> option.matches("-Xint|-Xcomp|-XX:.*Tiered.*"))) {
      jvm.and("-XX:TieredStopAtLevel=1");
    }
    return jvm.and((Object[]) options);
  }

  /** A JVM with the agent and its options. */
  public static ChildJvm withAgent(String agentOptions) {
    return with(agent(agentOptions));
  }

  /** The JVM's option that gives the agent these options. */
  public static String agent(String agentOptions) {
    return "-javaagent:" + AGENT + (agentOptions.isEmpty() ? "" : "=" + agentOptions);
  }

  /** The files of the agent's jar, by name. */
  public static Map<String, byte[]> files() throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    try (ZipFile jar = new ZipFile(AGENT.toFile())) {
      for (ZipEntry entry : Collections.list(jar.entries())) {
        files.put(entry.getName(), jar.getInputStream(entry).readAllBytes());
      }
    }
    return files;
  }

  /** One of the libraries of the tests. */
  public static Path library(String name) {
    Path jar = Path.of(System.getProperty("test.jars"), name);
    assertThat(jar).exists();
    return jar;
  }

  /** A jar with the package of a class of the tests: no JVM archives classes of folders. */
  public static Path pack(Path folder, Class<?> of) throws IOException {
    Path jar = folder.resolve("application.jar");
    try (JarOutputStream entries = new JarOutputStream(Files.newOutputStream(jar));
        DirectoryStream<Path> files =
            Files.newDirectoryStream(
                classes().resolve(of.getPackageName().replace('.', '/')), "*.class")) {
      for (Path file : files) {
        entries.putNextEntry(new JarEntry(classes().relativize(file).toString()));
        Files.copy(file, entries);
      }
    }
    return jar;
  }

  /** Where a class of the tests was loaded from. */
  public static Path classes() {
    return Path.of(
        URI.create(AgentJvm.class.getProtectionDomain().getCodeSource().getLocation().toString()));
  }
}
