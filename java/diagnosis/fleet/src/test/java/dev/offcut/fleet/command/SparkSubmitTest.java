package dev.offcut.fleet.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.offcut.command.read.Failure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SparkSubmitTest {
  private static final String JAR = "offcut.fleet.spark";
  private static final List<String> WORDS = List.of("report", "DIR", "--engine", "local[1]");

  @TempDir private Path folder = Path.of("");

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeEach
  void giveJar() throws IOException {
    System.setProperty(JAR, Files.createFile(folder.resolve("fleet.jar")).toString());
  }

  @AfterEach
  void takeJar() {
    System.clearProperty(JAR);
  }

  private int run(String engine) throws Failure {
    return SparkSubmit.run(
        engine,
        WORDS,
        Map.of("SPARK_HOME", folder.toString()),
        new PrintStream(err, true, StandardCharsets.UTF_8));
  }

  private void submitIs(String script) throws IOException {
    Path submit = Files.createDirectories(folder.resolve("bin")).resolve("spark-submit");
    Files.writeString(submit, "#!/bin/sh\n" + script);
    Files.setPosixFilePermissions(submit, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static void fails(int code, String start, ThrowingCallable run) {
    assertThatThrownBy(run)
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.exitCode()).isEqualTo(code))
        .hasMessageStartingWith(start);
  }

  @Test
  void run_givesTheSameWords_andPassesOurLinesOn() throws Exception {
    submitIs(
        """
        for word; do echo "$word"; done >"$0.words"
        echo "$JAVA_HOME" >"$0.java"
        echo '26/11/25 INFO SparkContext: Running Spark' >&2
        echo 'offcut: skipped: x.offcut' >&2
        exit 5
        """);
    assertThat(run("local[1]")).isEqualTo(5);
    assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("offcut: skipped: x.offcut\n");
    List<String> words = Files.readAllLines(folder.resolve("bin/spark-submit.words"));
    assertThat(words).startsWith("--master", "local[1]").contains("dev.offcut.command.Main");
    assertThat(words.subList(words.size() - 6, words.size()))
        .containsExactly(
            folder.resolve("fleet.jar").toString(),
            "fleet",
            "report",
            "DIR",
            "--engine",
            "local[1]");
    assertThat(folder.resolve("bin/spark-submit.java")).hasContent(System.getProperty("java.home"));
  }

  /** The file that a sentence names, which is deleted. */
  private static String log(Failure failure) throws IOException {
    String sentence = failure.sentence();
    Path log = Path.of(sentence.substring(sentence.indexOf('(') + 1, sentence.indexOf(" has ")));
    String lines = Files.readString(log);
    Files.delete(log);
    return lines;
  }

  @Test
  void run_sparkFails_namesTheFileWithItsLines() throws Exception {
    submitIs("echo 'ERROR: something of Spark' >&2\nexit 1\n");
    Failure failure = catchThrowableOfType(Failure.class, () -> run("local[1]"));
    assertThat(failure).hasMessageStartingWith("spark-submit ended with 1 (");
    assertThat(log(failure)).contains("something of Spark");
    assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  @Test
  void run_masterOfAnotherVersion_saysSo() throws Exception {
    submitIs(
        """
        echo 'Reason: All masters are unresponsive! Giving up.' >&2
        echo 'offcut: Spark: something' >&2
        exit 1
        """);
    try (ServerSocket master = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String url = "spark://127.0.0.1:" + master.getLocalPort();
      Failure failure = catchThrowableOfType(Failure.class, () -> run(url));
      assertThat(failure)
          .hasMessageStartingWith(
              url + " is no Spark master of the same version as the Spark in SPARK_HOME");
      assertThat(log(failure)).contains("unresponsive");
    }
    assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  @Test
  void run_noMaster_isUnreachable() throws Exception {
    submitIs("exit 0\n");
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    fails(
        4,
        "no Spark master answers at spark://127.0.0.1:" + port,
        () -> run("spark://127.0.0.1:" + port));
  }

  @Test
  void run_noSpark_saysWhatToDo() {
    PrintStream out = new PrintStream(err, true, StandardCharsets.UTF_8);
    fails(
        1,
        "--engine needs Apache Spark 4.2 or newer on this machine, and SPARK_HOME is not set",
        () -> SparkSubmit.run("local", WORDS, Map.of(), out));
    fails(1, "SPARK_HOME is " + folder + ", which has no bin/spark-submit", () -> run("local"));
  }

  @Test
  void run_unknownEngine_isWrongUsage() {
    for (String name : List.of("spark", "spark:x", "duckdb", "local[x]", "spark://host")) {
      fails(2, "--engine " + name + " is no engine", () -> run(name));
    }
  }

  @Test
  void run_noJar_saysSo() throws Exception {
    submitIs("exit 0\n");
    System.clearProperty(JAR);
    fails(1, "the jar for Spark is not built", () -> run("local"));
  }
}
