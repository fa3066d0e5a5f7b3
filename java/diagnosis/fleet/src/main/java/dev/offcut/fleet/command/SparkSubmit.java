package dev.offcut.fleet.command;

import dev.offcut.command.read.Failure;
import dev.offcut.command.read.Temporary;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import picocli.CommandLine.ExitCode;

/**
 * Runs the same command once more, as a program that the user's own Spark submits to a cluster.
 * What Spark says goes to a file, which is deleted if all went well.
 */
final class SparkSubmit {
  private static final int CONNECT_MILLIS = 5_000;

  private static final String OURS = "offcut: ";
  private static final Pattern SPARK =
      Pattern.compile("spark://([^:,/]+:[0-9]{1,5})(,[^:,/]+:[0-9]{1,5})*");
  private static final Pattern OTHERS = Pattern.compile("local(\\[([0-9]+|\\*)])?|yarn|k8s://.+");

  private final String engine;
  private final PrintStream err;

  private SparkSubmit(String engine, PrintStream err) {
    this.engine = engine;
    this.err = err;
  }

  /**
   * Runs it, and returns its exit code.
   *
   * @param words those of the command behind {@code fleet}
   * @param environment that of this program
   */
  static int run(
      String engine, List<String> words, Map<String, String> environment, PrintStream err)
      throws Failure {
    SparkSubmit submit = new SparkSubmit(engine, err);
    submit.checkName();
    Path home = home(environment.getOrDefault("SPARK_HOME", ""));
    submit.checkMaster();
    return submit.run(home, words);
  }

  private void checkName() throws Failure {
    if (!SPARK.matcher(engine).matches() && !OTHERS.matcher(engine).matches()) {
      throw Failure.of(
          ExitCode.USAGE,
          "--engine "
              + engine
              + " is no engine; give spark://HOST:PORT, yarn, k8s://… or local[CORES], or leave it"
              + " out");
    }
  }

  private static Path home(String home) throws Failure {
    if (home.isBlank()) {
      throw Failure.other(
          "--engine needs Apache Spark 4.2 or newer on this machine, and SPARK_HOME is not set;"
              + " unpack the Spark of the cluster, and set SPARK_HOME to its folder");
    }
    if (!Files.isExecutable(submitIn(Path.of(home)))) {
      throw Failure.other(
          "SPARK_HOME is "
              + home
              + ", which has no bin/spark-submit; set it to the folder of the cluster's Spark");
    }
    return Path.of(home);
  }

  private static Path submitIn(Path home) {
    return home.resolve("bin").resolve("spark-submit");
  }

  /** Spark would try for a minute. */
  private void checkMaster() throws Failure {
    if (!SPARK.matcher(engine).matches()) {
      return;
    }
    for (String master : engine.substring("spark://".length()).split(",", -1)) {
      int colon = master.indexOf(':');
      try (Socket socket = new Socket()) {
        socket.connect(
            new InetSocketAddress(
                master.substring(0, colon), Integer.parseInt(master.substring(colon + 1))),
            CONNECT_MILLIS);
        return;
      } catch (IOException | IllegalArgumentException e) {
        // Another one may answer.
      }
    }
    throw Failure.unreachable(
        "no Spark master answers at " + engine + "; its web page says what its URL is");
  }

  private int run(Path home, List<String> words) throws Failure {
    String jar = System.getProperty("offcut.fleet.spark", "");
    if (!Files.isRegularFile(Path.of(jar))) {
      throw Failure.other(
          "the jar for Spark is not built; use `./offcut fleet` in a clone, which builds it");
    }
    List<String> command =
        new ArrayList<>(
            List.of(
                submitIn(home).toString(),
                "--master",
                engine,
                "--name",
                "offcut fleet " + words.getFirst(),
                "--class",
                "dev.offcut.command.Main",
                "--conf",
                "spark.ui.showConsoleProgress=false",
                jar,
                "fleet"));
    command.addAll(words);
    try {
      Path log = Files.createTempFile(Temporary.folder(), "spark-", ".log");
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectInput(ProcessBuilder.Redirect.INHERIT)
              .redirectOutput(ProcessBuilder.Redirect.INHERIT);
      // The jar is for the Java of this program, or a newer one.
      builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
      return run(builder.start(), log);
    } catch (IOException e) {
      throw Failure.other("cannot run " + submitIn(home) + ": " + e.getMessage());
    }
  }

  private int run(Process spark, Path log) throws IOException, Failure {
    Thread ending = new Thread(spark::destroy, "offcut fleet: end of Spark's program");
    Runtime.getRuntime().addShutdownHook(ending);
    Seen seen = new Seen();
    try (BufferedReader lines = spark.errorReader(StandardCharsets.UTF_8);
        Writer all = Files.newBufferedWriter(log)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(OURS + "Spark: ")) {
          seen.failure = line; // perhaps a better one is known at the end
        } else if (line.startsWith(OURS)) {
          err.println(line);
          seen.ours = true;
        } else {
          all.append(line).append('\n');
          seen.unresponsive |= line.contains("All masters are unresponsive");
          seen.old |= line.contains("UnsupportedClassVersionError");
        }
      }
      int code = spark.waitFor();
      if (!seen.unresponsive && !seen.failure.isEmpty()) {
        err.println(seen.failure);
      }
      if (code == ExitCode.OK || (!seen.unresponsive && seen.saysWhy(code))) {
        Files.deleteIfExists(log);
        return code;
      }
      Path kept = Files.createTempFile(Temporary.base(), "offcut-spark-", ".log");
      Files.move(log, kept, StandardCopyOption.REPLACE_EXISTING);
      throw Failure.other(seen.sentence(engine, code) + " (" + kept + " has what Spark says)");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failure.other("interrupted; the same command goes on from here");
    } finally {
      spark.destroy();
      removeHook(ending);
    }
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // This program ends already.
    }
  }

  /** What there was in the lines of stderr. */
  private static final class Seen {
    private String failure = "";
    private boolean ours;
    private boolean unresponsive;
    private boolean old;

    /** Our own exit codes have a line of ours; others are of a JVM that was killed. */
    private boolean saysWhy(int code) {
      return !failure.isEmpty() || (ours && code <= Failure.UNREADABLE);
    }

    private String sentence(String engine, int code) {
      if (unresponsive) {
        return engine
            + " is no Spark master of the same version as the Spark in SPARK_HOME; set SPARK_HOME"
            + " to the Spark of the cluster";
      }
      if (old) {
        return "Spark runs on a Java older than " + Runtime.version().feature();
      }
      return "spark-submit ended with " + code;
    }
  }
}
