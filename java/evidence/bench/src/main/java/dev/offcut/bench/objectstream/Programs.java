package dev.offcut.bench.objectstream;

import dev.offcut.bench.Agent;
import dev.offcut.bench.Agent.Jar;
import dev.offcut.bench.ChildRun;
import dev.offcut.bench.Jdk;
import dev.offcut.bench.child.Child;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the children run, in a folder that is gone when this JVM ends: the program with its
 * generated classes as one jar (no archive holds classes from folders), an agent that does nothing,
 * the guard's java.base, and the archives that the JVM itself makes.
 */
final class Programs {
  private final Path folder =
      Path.of(System.getProperty("java.io.tmpdir"), "offcut-bench-" + UUID.randomUUID());

  /** The class path of all children. */
  Path jar() {
    return folder.resolve("program.jar");
  }

  Path idleAgent() {
    return folder.resolve("idle-agent.jar");
  }

  /** What patches the java.base of a JDK. */
  Path guard(Jdk jdk) {
    return folder.resolve("guard-" + jdk.version());
  }

  /** The shared archive of the program, of a JDK. */
  Path archive(Jdk jdk) {
    return folder.resolve("program-" + jdk.version() + ".jsa");
  }

  /** Whether a run starts from the archive. */
  boolean usesArchive(ChildRun run) {
    return run.jvmArgs().stream().anyMatch(arg -> arg.endsWith(archive(run.jdk()).toString()));
  }

  /** Where a JVM logs the classes it loads. */
  Path log() {
    return folder.resolve("classes.log");
  }

  /** A profile that stays, by its name without the ending. */
  Path profile(String name) {
    Path root = Path.of(System.getProperty("offcut.root", "."));
    return root.resolve("java/target/profiles").resolve(name);
  }

  /** Makes the folder and the two jars. */
  void create() throws IOException {
    Files.createDirectory(folder);
    Runtime.getRuntime().addShutdownHook(new Thread(this::delete, "end of programs"));
    try (Jar program = new Jar(jar(), "")) {
      program.addAllBeside(Child.class);
      for (int i = 0; i < LeafClass.COUNT; i++) {
        program.add(LeafClass.name(i), LeafClass.file(i));
      }
    }
    Agent.writeIdle(idleAgent());
  }

  /** Makes the guard for a JDK. */
  void createGuard(Jdk jdk) throws IOException {
    new GuardPatch(jdk).writeTo(guard(jdk));
  }

  private void delete() {
    try (Stream<Path> files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      System.err.println("bench: cannot delete " + folder + ": " + e.getMessage());
    }
  }

  /**
   * The JDK 17 that is measured too, where there is one.
   *
   * @param jdk null where there is none
   * @param why what to say then
   */
  record OlderJdk(@Nullable Jdk jdk, String why) {
    /** Where it is; the launcher looks for it. */
    static final String PROPERTY = "offcut.jdk17.home";

    private static final OlderJdk NONE =
        new OlderJdk(null, "JDK 17: none found; OFFCUT_JAVA17_HOME says where it is");

    static OlderJdk find() {
      return in(System.getProperty(PROPERTY, ""));
    }

    /** The one in a directory; there is none where that is empty. */
    static OlderJdk in(String home) {
      if (home.isEmpty()) {
        return NONE;
      }
      try {
        return new OlderJdk(Jdk.at(Path.of(home)), "");
      } catch (IOException e) {
        return new OlderJdk(null, "JDK 17: -D" + PROPERTY + " is no JDK's directory: " + e);
      }
    }
  }
}
