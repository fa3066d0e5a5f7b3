package dev.offcut.bench.sqlite;

import dev.offcut.bench.Bar;
import dev.offcut.bench.Bar.Place;
import dev.offcut.bench.Case;
import dev.offcut.bench.ChildRun;
import dev.offcut.bench.Suite;
import dev.offcut.bench.Versions;
import dev.offcut.examples.sqlite.Database;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Suite {@code sqlite}: statements through {@code java/evidence/examples/sqlite}, which calls the
 * system's SQLite by downcalls and keeps each database, statement and query by a handle; and
 * through sqlite-jdbc. The row {@code sqlite-jdbc} is its newest version, which brings an SQLite of
 * its own; {@code sqlite-jdbc-system} is the one of Debian's package, whose native part calls the
 * same library of the system as ours does. Each row's version names its SQLite.
 */
public final class SqliteSuite implements Suite {
  private static final String OURS = "offcut";
  private static final String NEWEST = "sqlite-jdbc";
  private static final String SYSTEM = "sqlite-jdbc-system";
  private static final String GROUP = "org.xerial";

  /** Of Debian's package: the classes, and where the native part is, by processor. */
  private static final Path SYSTEM_JAR = Path.of("/usr/share/java/sqlite-jdbc.jar");

  private static final Path LIBRARIES = Path.of("/usr/lib");
  private static final String LIBRARY = "libsqlitejdbc.so";

  private final Path jar;
  private final @Nullable Path library;

  /** With Debian's sqlite-jdbc, if it is here. */
  public SqliteSuite() {
    this(SYSTEM_JAR, LIBRARIES);
  }

  SqliteSuite(Path jar, Path libraries) {
    this.jar = jar;
    this.library = Files.isRegularFile(jar) ? library(libraries) : null;
  }

  private static @Nullable Path library(Path libraries) {
    try (Stream<Path> folders = Files.list(libraries)) {
      return folders
          .map(folder -> folder.resolve("jni").resolve(LIBRARY))
          .filter(Files::isRegularFile)
          .findFirst()
          .orElse(null);
    } catch (IOException e) {
      return null;
    }
  }

  @Override
  public String name() {
    return "sqlite";
  }

  @Override
  public List<Case> cases(boolean quick) {
    return List.of(
        of("prepared", "a query compiled, two values bound, its row read, and closed", quick),
        of("kept", "two values bound to a compiled query, and its row read", quick));
  }

  private Case of(String what, String summary, boolean quick) {
    List<ChildRun> runs =
        Stream.of(OURS, NEWEST, SYSTEM)
            .filter(impl -> !impl.equals(SYSTEM) || library != null)
            .map(
                impl -> ChildRun.loop(impl, 1, Statements.class, params(impl, what)).jvm(jvm(impl)))
            .toList();
    return Case.of(what, summary, Case.PER_OPERATION, quick, runs);
  }

  /** With what it is to find, where it could load another one. */
  private static Map<String, String> params(String impl, String what) {
    return Map.of("what", what, "sqlite", impl.equals(SYSTEM) ? Database.version() : "any");
  }

  /** Debian's goes before the newest, and without its two options takes the native part of that. */
  private List<String> jvm(String impl) {
    List<String> jvm = new ArrayList<>(List.of("--enable-native-access=ALL-UNNAMED", "-Xmx256m"));
    if (impl.equals(SYSTEM) && library != null) {
      jvm.add("-Xbootclasspath/a:" + jar);
      jvm.add("-Dorg.sqlite.lib.path=" + library.getParent());
      jvm.add("-Dorg.sqlite.lib.name=" + LIBRARY);
    }
    return jvm;
  }

  @Override
  public List<String> leftOut() {
    String absence =
        SYSTEM
            + ": "
            + jar
            + " or its "
            + LIBRARY
            + " is not here (Debian: libxerial-sqlite-jdbc-java), which calls the same SQLite";
    return library != null ? List.of() : List.of(absence);
  }

  @Override
  public List<Bar> bars() {
    return List.of(
        new Place("prepared", "cpu_ns_per_op").ratio(0.75, OURS, SYSTEM),
        new Place("kept", "cpu_ns_per_op").ratio(0.75, OURS, SYSTEM));
  }

  @Override
  public String version(String impl) {
    String version =
        switch (impl) {
          case OURS -> Versions.of("dev.offcut", "offcut-handle");
          case SYSTEM -> Versions.in(jar, GROUP, NEWEST);
          default -> Versions.of(GROUP, NEWEST);
        };
    return version + " (SQLite " + sqlite(impl) + ")";
  }

  /** The version of its SQLite: the first three numbers of what brings its own. */
  private static String sqlite(String impl) {
    return impl.equals(NEWEST)
        ? Versions.of(GROUP, NEWEST).replaceFirst("\\.[^.]*$", "")
        : Database.version();
  }
}
