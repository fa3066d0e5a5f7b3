package dev.offcut.bench.sqlite;

import dev.offcut.bench.Bar;
import dev.offcut.bench.Bar.Place;
import dev.offcut.bench.Case;
import dev.offcut.bench.ChildRun;
import dev.offcut.bench.Jdk;
import dev.offcut.bench.Suite;
import dev.offcut.bench.Versions;
import dev.offcut.examples.sqlite.Database;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Suite {@code sqlite}: statements through {@code java/examples/sqlite}, which calls the system's
 * SQLite by downcalls and keeps each database, statement and query by a handle; and through
 * sqlite-jdbc, which brings an SQLite of its own. The row {@code sqlite-jdbc} is its newest
 * version; {@code sqlite-jdbc-3.40} is the one whose SQLite is that of Debian 12. Each row's
 * version names its SQLite.
 */
public final class SqliteSuite implements Suite {
  private static final String OURS = "offcut";
  private static final String NEWEST = "sqlite-jdbc";
  private static final String SAME = "sqlite-jdbc-3.40";
  private static final String SAME_VERSION = "3.40.1.0";
  private static final String G1 = "G1";

  @Override
  public String name() {
    return "sqlite";
  }

  @Override
  public List<Case> cases(boolean quick) {
    return List.of(
        of("prepared", "a query compiled, two values bound, its row read, and closed", quick),
        of("kept", "two values bound to a compiled query, and its row read", quick),
        of("insert", "three values bound to a compiled statement, which adds a row", quick));
  }

  private static Case of(String what, String summary, boolean quick) {
    double warmUp = quick ? 0.5 : 2;
    double seconds = quick ? 0.2 : 1;
    List<ChildRun> runs =
        Stream.of(OURS, NEWEST, SAME)
            .map(
                impl ->
                    ChildRun.of(impl, G1, Statements.class, impl, what, warmUp, seconds)
                        .jvm(List.of("-Xbatch", "--enable-native-access=ALL-UNNAMED", "-Xmx256m"))
                        .classPath(classPath(impl))
                        .estimate(warmUp + seconds + 1))
            .toList();
    List<String> metrics = List.of("cpu_ns_per_op", "wall_ns_per_op", "alloc_bytes_per_op");
    return new Case(what, summary, metrics, quick ? 2 : Case.ROUNDS, runs, List.of());
  }

  /** That of this program; with the older version of sqlite-jdbc in front of it where asked for. */
  private static String classPath(String impl) {
    String own = System.getProperty("java.class.path");
    return impl.equals(SAME) ? older(own) + File.pathSeparator + own : own;
  }

  /** Beside the libraries of this program, which the build has put there. */
  private static Path older(String own) {
    Path jar = Path.of(own.split(File.pathSeparator, -1)[0]).toAbsolutePath();
    return jar.resolveSibling("peers").resolve("sqlite-jdbc-" + SAME_VERSION + ".jar");
  }

  @Override
  public List<Bar> bars() {
    return Stream.of("prepared", "kept", "insert")
        .map(of -> new Place(of, "cpu_ns_per_op", G1, 1))
        .flatMap(
            place -> Stream.of(place.atMost(0.75, OURS, SAME), place.atMost(0.75, OURS, NEWEST)))
        .toList();
  }

  @Override
  public String version(String impl, Jdk jdk) {
    return switch (impl) {
      case OURS ->
          Versions.of("dev.offcut", "offcut-handle") + " (SQLite " + Database.version() + ")";
      case SAME -> jdbc(SAME_VERSION);
      default -> jdbc(Versions.of("org.xerial", "sqlite-jdbc"));
    };
  }

  /** Its first three numbers are SQLite's. */
  private static String jdbc(String version) {
    return version
        + " (SQLite "
        + Arrays.stream(version.split("\\.", -1)).limit(3).collect(Collectors.joining("."))
        + ")";
  }

  @Override
  public Better better(String metric) {
    return Better.LOWER;
  }

  @Override
  public boolean isOurs(String impl) {
    return impl.equals(OURS);
  }

  @Override
  public boolean isPeer(String impl) {
    return !isOurs(impl);
  }
}
