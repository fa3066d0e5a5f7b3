package dev.offcut.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.offcut.command.read.Failure;
import dev.offcut.command.run.FleetWords;
import dev.offcut.test.Await;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Model.CommandSpec;

/** Programs under the agent, as a user runs them. */
@EnabledIfSystemProperty(named = "agent.jar", matches = ".+")
class RunTest {

  /** Of the agent's line at the start, the part before what it tracks. */
  private static final Pattern REWRITES_JNA = Pattern.compile("will rewrite [^;]*JNA's Memory");

  private static final String ENCODE = "dev.offcut.command.FillingProgram$Codec.encode(";

  @TempDir private Path folder = Path.of("");

  private CommandProcess offcut(String... options) {
    return new CommandProcess(folder, Map.of(), options);
  }

  private static List<String> words(List<String> program, String... own) {
    List<String> words = new ArrayList<>(List.of("run"));
    words.addAll(List.of(own));
    words.add("--");
    words.addAll(program);
    return words;
  }

  private static List<String> leaking(int exitCode) {
    return CommandProcess.program(LeakingProgram.class, "1000", String.valueOf(exitCode));
  }

  @Test
  void run_leaking_reportsExactly() throws Exception {
    CommandProcess offcut = offcut();
    CommandProcess.Ended ended = offcut.run(words(leaking(0)));
    assertThat(ended.exitCode()).isZero();
    assertThat(ended.out()).isEqualTo("forgot 1000\n");
    assertThat(ended.err())
        .contains("LOST       1,000 confined arenas lost: 1,000.0 KiB never freed")
        .contains("dev.offcut.command.LeakingProgram.forget(LeakingProgram.java:")
        .contains("  next: offcut report offcut-LeakingProgram.")
        .doesNotContain("\u001b");
    assertThat(offcut.only(".offcut").getFileName().toString())
        .matches("offcut-LeakingProgram\\.\\d+\\.offcut");
    assertThat(offcut.only(".html")).content().contains("<!DOCTYPE html>", "1,000 confined arenas");
    Words words = new Words();
    assertThat(words.run("report", offcut.only(".offcut").toString())).isZero();
    assertThat(words.printed()).contains("LOST       1,000 confined arenas lost");
    // It ended before a second had passed: the account is that of its end.
    assertThat(words.run("report", "--json", offcut.only(".offcut").toString())).isZero();
    JsonNode report = new ObjectMapper().readTree(words.printed());
    checkParts(report.required("memory"));
    assertThat(report.required("target").required("command")).hasSize(1);
    words.run("report", "--json", "--show-args", offcut.only(".offcut").toString());
    report = new ObjectMapper().readTree(words.printed());
    assertThat(report.required("target").required("command")).hasSize(3);
    for (String ending : List.of(".offcut", ".html")) {
      assertThat(Files.getPosixFilePermissions(offcut.only(ending)))
          .containsExactlyInAnyOrder(
              PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"sample", "full"})
  void run_arenasFilledElsewhere_namesTheLineThatOpenedThem(String level) throws Exception {
    CommandProcess offcut = offcut();
    offcut.run(words(CommandProcess.program(FillingProgram.class), "--level", level));
    Words words = new Words();
    assertThat(words.run("report", "--json", offcut.only(".offcut").toString())).isZero();
    JsonNode report = new ObjectMapper().readTree(words.printed());
    JsonNode finding = report.required("findings").required(0);
    assertThat(finding.required("kind").textValue()).isEqualTo("arena.shared");
    assertThat(finding.required("where").textValue()).contains("FillingProgram$Registry.begin(");
    JsonNode site = report.required("sites").required(finding.required("site").intValue());
    boolean isSampled = level.equals("sample");
    assertThat(Math.abs(site.required("open").longValue() - FillingProgram.ARENAS))
        .isLessThanOrEqualTo(isSampled ? site.at("/margins/open").longValue() : 0);
    assertThat(report.required("sites").toString()).doesNotContain("\"frames\":[\"" + ENCODE);
    JsonNode filled = report.required("filled");
    assertThat(filled.size()).isEqualTo(isSampled ? 1 : 0);
    if (isSampled) {
      assertThat(filled.at("/0/frames/0").textValue()).startsWith(ENCODE);
      long bytes = (long) FillingProgram.ARENAS * FillingProgram.BYTES;
      assertThat(Math.abs(filled.at("/0/bytes").longValue() - bytes))
          .isLessThanOrEqualTo(filled.at("/0/margins/bytes").longValue());
      assertThat(finding.required("text").textValue()).contains("was allocated at " + ENCODE);
    }
  }

  @Test
  void run_programThatStartsAJvm_saysThatItHasNoAgent() throws Exception {
    CommandProcess offcut = offcut();
    offcut.run(words(CommandProcess.program(StartingProgram.class)));
    Words words = new Words();
    assertThat(words.run("report", "--json", offcut.only(".offcut").toString())).isZero();
    assertThat(new ObjectMapper().readTree(words.printed()).required("limits").toString())
        .contains("The program started another JVM, which has no agent: PID ");
  }

  /** A fleet that notes the names of the files it is given. */
  public static final class NotedFleet implements FleetWords {
    /** Made as a service. */
    public NotedFleet() {}

    @Override
    public CommandSpec command(PrintStream out, PrintStream err) {
      return CommandSpec.create();
    }

    @Override
    public void check(Target target) {
      // Anything can be added.
    }

    @Override
    public int add(List<Path> files, Target target, PrintStream err) throws Failure {
      try {
        for (Path file : files) {
          assertThat(file).isNotEmptyFile();
          Files.writeString(
              Path.of(target.place()),
              target.service() + " " + file.getFileName() + "\n",
              StandardOpenOption.CREATE,
              StandardOpenOption.APPEND);
        }
      } catch (IOException e) {
        throw Failure.other(e.toString());
      }
      err.println("offcut: noted");
      return 0;
    }
  }

  /** The service is found by the loader of the command's own classes. */
  private CommandProcess offcutWithFleet() throws IOException {
    Path services = Files.createDirectories(folder.resolve("service/META-INF/services"));
    Files.writeString(
        services.resolve(FleetWords.class.getName()), NotedFleet.class.getName() + "\n");
    return offcut("-Xbootclasspath/a:" + folder.resolve("service"));
  }

  @Test
  void run_fleetEverySecond_addsWhileTheProgramRunsAndAtItsEnd() throws Exception {
    Path notes = folder.resolve("notes");
    Process run =
        offcutWithFleet()
            .start(
                words(
                        CommandProcess.program(KeepingProgram.class),
                        "--fleet",
                        notes.toString(),
                        "--service",
                        "orders",
                        "--version",
                        "1",
                        "--every",
                        "1s")
                    .toArray(String[]::new));
    Await.until(
        "two copies are added", () -> Files.exists(notes) && Files.readAllLines(notes).size() >= 2);
    run.getOutputStream().close();
    assertThat(run.waitFor()).isZero();
    List<String> lines = Files.readAllLines(notes);
    assertThat(lines.subList(0, lines.size() - 1))
        .hasSizeGreaterThanOrEqualTo(2)
        .allMatch(line -> line.matches("orders [0-9]+\\.tables"));
    assertThat(lines.getLast()).matches("orders offcut-KeepingProgram\\.[0-9]+\\.offcut");
  }

  @ParameterizedTest
  @CsvSource({"5, --every 5 is no time", "0m, --every 0m is no time", "1d, --every 1d is no time"})
  void run_fleetWithABadTime_saysWhatToDo(String time, String sentence) throws Exception {
    CommandProcess.Ended ended =
        offcutWithFleet()
            .run(
                words(
                    leaking(0),
                    "--fleet",
                    folder.resolve("notes").toString(),
                    "--service",
                    "orders",
                    "--version",
                    "1",
                    "--every",
                    time));
    assertThat(ended.exitCode()).isEqualTo(125);
    assertThat(ended.out()).isEmpty();
    assertThat(ended.err()).isEqualTo("offcut: " + sentence + ", such as 30s, 10m or 1h\n");
  }

  /**
   * A JVM that lets nobody attach would print stacks at the signal that tools send. The agent takes
   * the account then.
   */
  @Test
  void run_ofAJvmThatRefusesTools_hasAllRowsAndPrintsWhatTheProgramPrints() throws Exception {
    List<String> program = new ArrayList<>(leaking(0));
    program.add(1, "-XX:+DisableAttachMechanism");
    CommandProcess offcut = offcut();
    CommandProcess.Ended ended = offcut.run(words(program));
    assertThat(ended.exitCode()).isZero();
    assertThat(ended.out()).isEqualTo("forgot 1000\n");
    assertThat(ended.err())
        .contains("LOST       1,000 confined arenas lost")
        .doesNotContain("The JVM did not answer where");
    Words words = new Words();
    assertThat(words.run("report", "--json", offcut.only(".offcut").toString())).isZero();
    checkParts(new ObjectMapper().readTree(words.printed()).required("memory"));
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "-, false",
        "--level=full, false",
        "--level=off, false",
        "--rewrite=jna, false",
        "--rewrite=streams, true",
        "--level=off --rewrite=jna --rewrite=streams, true"
      })
  void run_rewritesWhatItIsAskedFor(String options, boolean rewritten) throws Exception {
    List<String> own = new ArrayList<>(List.of("--no-report"));
    if (!options.equals("-")) {
      own.addAll(List.of(options.split(" ")));
    }
    CommandProcess.Ended ended =
        offcut()
            .run(words(CommandProcess.program(RewrittenProgram.class), own.toArray(String[]::new)));
    assertThat(ended.exitCode()).isZero();
    assertThat(ended.out()).isEqualTo("rewritten " + rewritten + "\n");
    assertThat(REWRITES_JNA.matcher(ended.err()).find()).isEqualTo(options.contains("jna"));
  }

  /** Of both agents in one JVM: one has rewritten the streams, the other publishes their counts. */
  @Test
  void run_rewrite_reportsWhatWasSaved() throws Exception {
    CommandProcess offcut = offcut();
    List<String> program = CommandProcess.program(StreamsProgram.class, "end");
    assertThat(offcut.run(words(program, "--no-report", "--rewrite=streams")).exitCode()).isZero();
    Words words = new Words();
    assertThat(words.run("report", "--json", offcut.only(".offcut").toString())).isZero();
    assertThat(new ObjectMapper().readTree(words.printed()).required("saved"))
        .singleElement()
        .satisfies(
            saved -> {
              assertThat(saved.required("feature").textValue()).isEqualTo("object streams");
              assertThat(saved.required("done").longValue()).isPositive();
            });
  }

  @Test
  void run_endsWithinASecond_handlesAndLoadersAreExact() throws Exception {
    CommandProcess offcut = offcut();
    List<String> program = CommandProcess.program(HandlesProgram.class, "1000");
    assertThat(offcut.run(words(program, "--no-report")).exitCode()).isZero();
    Words words = new Words();
    assertThat(words.run("report", "--json", offcut.only(".offcut").toString())).isZero();
    JsonNode report = new ObjectMapper().readTree(words.printed());
    assertThat(report.required("handles")).hasSize(1);
    JsonNode handles = report.required("handles").get(0);
    assertThat(handles.required("type").textValue()).isEqualTo("short_lived");
    assertThat(handles.required("opened").longValue()).isEqualTo(1000);
    assertThat(handles.required("closed").longValue()).isZero();
    assertThat(handles.required("forgotten").longValue() + handles.required("open").longValue())
        .isEqualTo(1000);
    JsonNode loaders = report.required("loaders");
    assertThat(loaders.required("loaders").longValue()).isPositive();
    assertThat(loaders.required("used").longValue()).isPositive();
  }

  /** Nothing is open, and yet the agent has to see its probe collected before it may say so. */
  @Test
  void run_closing_isClean() throws Exception {
    CommandProcess.Ended ended = offcut().run(words(CommandProcess.program(ClosingProgram.class)));
    assertThat(ended.exitCode()).isZero();
    assertThat(ended.err())
        .contains("Nothing was lost or forgotten among the kinds that were tracked");
  }

  /** No recorder unless it is asked for; then its recording lies beside the archive. */
  @Test
  void run_record_makesARecordingToo() throws Exception {
    CommandProcess offcut = offcut();
    List<String> program = CommandProcess.program(RecorderProgram.class);
    assertThat(offcut.run(words(program, "--no-report")).out()).isEqualTo("recorder false\n");
    assertThat(folder.toFile().list()).noneMatch(name -> name.endsWith(".jfr"));
    CommandProcess.Ended ended = offcut.run(words(program, "--record", "-f", "-o", "both"));
    assertThat(ended.out()).isEqualTo("recorder true\n");
    assertThat(ended.err())
        .containsPattern("wrote both.offcut \\(.+\\), both.jfr \\(.+\\), both.txt and both.html");
    Words words = new Words();
    assertThat(words.run("report", "--json", offcut.only(".jfr").toString())).isZero();
    JsonNode report = new ObjectMapper().readTree(words.printed());
    checkParts(report.required("memory")); // by the accounts in the archive beside it
    assertThat(Files.getPosixFilePermissions(offcut.only(".jfr"))).hasSize(2);
  }

  @Test
  void run_exitCode_isTheProgramsOwn() throws Exception {
    CommandProcess.Ended ended = offcut().run(words(leaking(7), "--fail-on-leak"));
    assertThat(ended.exitCode()).isEqualTo(7);
    assertThat(ended.err()).containsOnlyOnce("NOTE       The program ended with exit code 7");
  }

  @Test
  void run_mainThatThrows_isSaidByTheArchiveToo() throws Exception {
    CommandProcess offcut = offcut();
    CommandProcess.Ended ended =
        offcut.run(words(CommandProcess.program(LeakingProgram.class, "0", "none")));
    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.err().replaceAll("\\s+", " "))
        .contains("Exception in thread \"main\" java.lang.NumberFormatException: For input")
        .containsOnlyOnce("NOTE The program ended with exit code 1 Its main method threw")
        .doesNotContain("Nothing was lost");
    Words words = new Words();
    assertThat(words.run("report", offcut.only(".offcut").toString())).isZero();
    assertThat(words.printed())
        .contains("The program ended with exit code 1")
        .doesNotContain("Nothing was lost");
  }

  @ParameterizedTest
  @CsvSource({
    "Newer,java.lang.UnsupportedClassVersionError: Newer ",
    "Missing,there is no class Missing",
    "NoMain,the class NoMain has no method main"
  })
  void run_programThatDoesNotStart_isSaid(String main, String reason) throws Exception {
    Files.write(folder.resolve("Newer.class"), emptyClass("Newer", 99));
    Files.write(folder.resolve("NoMain.class"), emptyClass("NoMain", 61));
    CommandProcess offcut = offcut();
    List<String> program = List.of(CommandProcess.java(), "-cp", folder.toString(), main);
    CommandProcess.Ended ended = offcut.run(words(program));
    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.err().replaceAll("\\s+", " "))
        .contains("NOTE The program did not start " + reason)
        .doesNotContain("Nothing was lost", "ended with exit code");
    Words words = new Words();
    assertThat(words.run("report", offcut.only(".offcut").toString())).isZero();
    assertThat(words.printed())
        .contains("The program did not start")
        .doesNotContain("Nothing was lost");
    assertThat(words.run("report", "--fail-on-leak", offcut.only(".offcut").toString()))
        .isEqualTo(5);
    assertThat(words.said()).contains("cannot be answered: the program did not start");
  }

  /** The file of a class that has nothing. */
  private static byte[] emptyClass(String name, int version) {
    return ClassFile.of().build(ClassDesc.of(name), type -> type.withVersion(version, 0));
  }

  @Test
  void run_failOnLeak_is3() throws Exception {
    CommandProcess.Ended ended = offcut().run(words(leaking(0), "--fail-on-leak", "-o", "my"));
    assertThat(ended.exitCode()).isEqualTo(3);
    assertThat(ended.err())
        .contains("my.offcut", "my.txt and my.html")
        .contains("offcut: --fail-on-leak fails (exit code 3):")
        .contains("offcut:   LOST 1,000 confined arenas lost");
  }

  @Test
  void run_withoutTheLastCollection_saysThatLossesMayBeMissing() throws Exception {
    List<String> program = new ArrayList<>(leaking(0));
    program.add(1, "-XX:+DisableExplicitGC");
    CommandProcess.Ended ended = offcut().run(words(program, "--fail-on-leak"));
    assertThat(ended.err().replaceAll("\\s+", " "))
        .contains(
            "The agent reports: System.gc() ran no garbage collection at the end, perhaps because of"
                + " -XX:+DisableExplicitGC; what was unreachable then, and was not found before,"
                + " counts as open")
        .doesNotContain("Nothing was lost");
    assertThat(offcut().run(words(leaking(0))).err()).doesNotContain("no garbage collection at");
  }

  @Test
  void run_namesThatTheAgentDoesNotUnderstand_areLimits() throws Exception {
    Path rules = folder.resolve("rules.json");
    Files.writeString(rules, "{\"rules\": [{\"class\": \"a.B\"}]}");
    List<String> program = new ArrayList<>(CommandProcess.program(RecorderProgram.class));
    program.add(1, "-Doffcut.watch=1x+shop.Thing");
    CommandProcess.Ended ended = offcut().run(words(program, "--rules", "rules.json"));
    assertThat(ended.err().replaceAll("\\s+", " "))
        .contains(
            "The agent reports: offcut.watch=1x+shop.Thing: 1x is no CLASS or CLASS#METHOD; it is"
                + " not watched")
        .contains("shop.Thing is not counted (not loaded)")
        .contains("The agent reports: " + rules + ":1: ")
        .doesNotContain("Nothing was lost");
  }

  @ParameterizedTest
  @CsvSource({
    "--watch,a.B+c.D",
    "--watch,1x",
    "--watch,a.B#",
    "--watch,java.lang.Object",
    "--watch-package,a..b",
    "--rules,none.json"
  })
  void run_namesThatAreNone_areRefused(String option, String name) {
    Words words = new Words();
    assertThat(words.run("run", option, name, "--", "java", "-version")).isEqualTo(2);
    assertThat(words.said()).contains(option);
  }

  /** Events do not have which classes are counted; the tables of the same run do. */
  @Test
  void run_record_saysWhichClassesAreNotCounted() throws Exception {
    String missing = "shop.Thing is not counted (not loaded)";
    List<String> program = CommandProcess.program(RecorderProgram.class);
    CommandProcess offcut = offcut();
    CommandProcess.Ended ended =
        offcut.run(words(program, "--record", "--watch", "shop.Thing", "-o", "it"));
    assertThat(ended.exitCode()).isZero();
    assertThat(folder.resolve("it.txt")).content().contains(missing);
    String recording = offcut.only(".jfr").toString();
    Words words = new Words();
    assertThat(words.run("report", recording)).isZero();
    assertThat(words.printed()).contains(missing).doesNotContain("is not known: recordings");
    Files.delete(offcut.only(".offcut"));
    words = new Words();
    assertThat(words.run("report", recording)).isZero();
    assertThat(words.printed().replaceAll("\\s+", " "))
        .contains(
            "Which classes of rules are not counted is not known: recordings do not have that")
        .doesNotContain("Nothing was lost");
  }

  /** A check does not pass for a kind that is counted by default, and was not. */
  @Test
  void run_failOnLeakOfAKindThatIsSwitchedOff_cannotBeAnswered() throws Exception {
    List<String> program = new ArrayList<>(CommandProcess.program(RecorderProgram.class));
    program.add(1, "-Doffcut.buffers=off");
    CommandProcess offcut = offcut();
    CommandProcess.Ended ended = offcut.run(words(program, "--fail-on-leak"));
    assertThat(ended.exitCode()).isEqualTo(5);
    assertThat(ended.err())
        .contains("cannot be answered: direct buffers are not tracked in this program");
    Words words = new Words();
    assertThat(words.run("report", "--fail-on-leak", offcut.only(".offcut").toString()))
        .isEqualTo(5);
  }

  /** Exit code 0 must not look like an answer about what nobody looks at. */
  @Test
  void run_failOnLeakThatPasses_saysLastWhatIsNotTracked() throws Exception {
    List<String> program = CommandProcess.program(RecorderProgram.class);
    CommandProcess.Ended ended = offcut().run(words(program, "--fail-on-leak"));
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(ended.err().lines().toList().getLast())
        .startsWith(
            "offcut: the check of --fail-on passes for what was tracked; not tracked: malloc memory"
                + " of native libraries, ");
  }

  @Test
  void run_output_isNamedSo() throws Exception {
    CommandProcess offcut = offcut();
    CommandProcess.Ended ended = offcut.run(words(leaking(0), "-o", "night"));
    assertThat(ended.err()).doesNotContain("LOST");
    assertThat(folder.resolve("night.txt")).content().contains("LOST ");
    assertThat(folder.resolve("night.offcut")).isNotEmptyFile();
    assertThat(folder.resolve("night.html")).isNotEmptyFile();
    ended = offcut.run(words(leaking(0), "-o", "night"));
    assertThat(ended.exitCode()).isEqualTo(125);
    assertThat(ended.err()).contains("night.offcut exists already; -f overwrites it");
    assertThat(ended.out()).as("the program did not run").isEmpty();
  }

  @Test
  void run_script_hasTheAgentToo() throws Exception {
    Path script = folder.resolve("start me.sh");
    Files.writeString(script, "#!/bin/sh\nexec \"$@\"\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    List<String> command = new ArrayList<>(List.of(script.toString()));
    command.addAll(leaking(0));
    CommandProcess.Ended ended = offcut().run(words(command));
    assertThat(ended.exitCode()).isZero();
    assertThat(ended.err()).contains("LOST       1,000 confined arenas lost");
  }

  @Test
  void run_scriptThatStartsTwo_keepsAndJudgesBoth() throws Exception {
    Path script = folder.resolve("twice.sh");
    Files.writeString(script, "#!/bin/sh\n\"$@\" && exec \"$1\" -version\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    List<String> command = new ArrayList<>(List.of(script.toString()));
    command.addAll(leaking(0));
    CommandProcess offcut = offcut();
    CommandProcess.Ended ended = offcut.run(words(command, "-o", "both", "--fail-on-leak"));
    assertThat(ended.exitCode()).as("the first leaks, not the last").isEqualTo(3);
    assertThat(ended.err())
        .containsPattern(
            "wrote both-LeakingProgram\\.\\d+\\.offcut, of another JVM that the command started");
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> archives = files.filter(file -> file.toString().endsWith(".offcut")).toList();
      assertThat(archives).hasSize(2);
      List<String> printed = new ArrayList<>();
      for (Path archive : archives) {
        Words words = new Words();
        assertThat(words.run("report", archive.toString())).isZero();
        printed.add(words.printed());
      }
      assertThat(printed)
          .satisfiesOnlyOnce(text -> assertThat(text).contains("1,000 confined arenas lost"))
          .satisfiesOnlyOnce(text -> assertThat(text).doesNotContain("arenas lost"));
    }
  }

  @Test
  void run_missing_is127() throws Exception {
    CommandProcess.Ended ended = offcut().run("run", "--", "no-such-program");
    assertThat(ended.exitCode()).isEqualTo(127);
    assertThat(ended.err()).contains("there is no program no-such-program");
  }

  @Test
  void run_noProgram_is126() throws Exception {
    Path text = Files.writeString(folder.resolve("text"), "not a program");
    CommandProcess.Ended ended = offcut().run("run", "--", text.toString());
    assertThat(ended.exitCode()).isEqualTo(126);
    assertThat(ended.err()).contains("cannot be run");
  }

  @Test
  void run_noJvm_saysThatThereIsNoReport() throws Exception {
    CommandProcess.Ended ended = offcut().run("run", "--", "sh", "-c", "exit 9");
    assertThat(ended.exitCode()).isEqualTo(9);
    assertThat(ended.err()).contains("there is no report", "exit code 9");
  }

  @Test
  void run_noAgent_is125() throws Exception {
    CommandProcess.Ended ended = offcut("-Doffcut.agent.jar=no.jar").run(words(leaking(0)));
    assertThat(ended.exitCode()).isEqualTo(125);
    assertThat(ended.err()).contains("the agent is not at").hasLineCount(1);
  }

  @Test
  void run_terminated_programEndsAndIsReported() throws Exception {
    CommandProcess offcut = offcut();
    Process process =
        offcut.start(words(CommandProcess.program(LeakingProgram.class, "1000", "0", "wait")));
    await(offcut, "waiting");
    process.destroy();
    CommandProcess.Ended ended = offcut.ended(process);
    assertThat(ended.exitCode()).isEqualTo(143);
    assertThat(ended.out()).endsWith("bye\n");
    assertThat(ended.err()).contains("LOST       1,000 confined arenas lost");
  }

  @Test
  void run_killed_isReportedUpToItsLastSecond() throws Exception {
    CommandProcess offcut = killed();
    Words words = new Words();
    assertThat(words.run("report", offcut.only(".offcut").toString()))
        .as("what is kept of a killed program says that its end is missing")
        .isEqualTo(5);
    assertThat(words.said()).contains("is missing; what could be read is shown");
    assertThat(words.printed())
        .contains("The program was killed or halted", "The program ended with exit code 137")
        .doesNotContain("Nothing was lost", "it still ran");
  }

  @Test
  void run_killedAndRecorded_isReportedUpToItsLastSecond() throws Exception {
    CommandProcess offcut = killed("--record");
    Path recording = offcut.only(".jfr");
    // On a busy machine an account may have been taken by then: here the recorded figures count.
    Files.delete(offcut.only(".offcut"));
    partsAreWhatIsResident(recording);
  }

  private CommandProcess killed(String... own) throws Exception {
    CommandProcess offcut = offcut("-Doffcut.terminal.stderr=true");
    List<String> program =
        new ArrayList<>(CommandProcess.program(LeakingProgram.class, "1000", "0", "wait"));
    program.add(1, "-XX:NativeMemoryTracking=summary");
    Process process =
        new CommandProcess(folder, Map.of("TERM", "xterm"), "-Doffcut.terminal.stderr=true")
            .start(words(program, own));
    await(offcut, "waiting");
    // The line of progress is written when something was published.
    Await.until("progress", () -> offcut.said().contains("tracked 1"));
    process.children().forEach(ProcessHandle::destroyForcibly);
    CommandProcess.Ended ended = offcut.ended(process);
    assertThat(ended.exitCode()).isEqualTo(137);
    assertThat(ended.err())
        .contains(
            "arena.confined",
            "The program was killed",
            "NOTE       The program ended with exit code 137 (SIGKILL)",
            "A user killed it, or the system killed it");
    return offcut;
  }

  private static void partsAreWhatIsResident(Path recording) throws IOException {
    Words words = new Words();
    assertThat(words.run("report", "--json", recording.toString()))
        .as("what is kept of a killed program says that its end is missing")
        .isEqualTo(5);
    assertThat(words.said()).contains("is missing; what could be read is shown");
    JsonNode report = new ObjectMapper().readTree(words.printed());
    assertThat(report.required("complete").booleanValue()).isFalse();
    JsonNode memory = report.required("memory");
    long sum = 0;
    List<String> names = new ArrayList<>();
    for (JsonNode part : memory.required("parts")) {
      sum += part.required("bytes").longValue();
      names.add(part.required("part").textValue());
    }
    assertThat(sum).isEqualTo(memory.required("resident").longValue()).isPositive();
    assertThat(names)
        .contains("jvm: gc", "metaspace", "arena.confined", "unexplained")
        .doesNotContain("code cache");
  }

  /** The heap of ZGC is a file in memory: once among the parts, not three times. */
  @Test
  void run_zgc_heapIsThereOnce() throws Exception {
    CommandProcess offcut = offcut();
    List<String> program = new ArrayList<>(leaking(0));
    program.remove("-XX:+UseSerialGC");
    program.addAll(1, List.of("-XX:+UseZGC", "-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch"));
    assertThat(offcut.run(words(program)).exitCode()).isZero();
    String recording = offcut.only(".offcut").toString();
    Words words = new Words();
    assertThat(words.run("report", "--json", recording)).isZero();
    JsonNode memory = new ObjectMapper().readTree(words.printed()).required("memory");
    long heap = 256L << 20;
    assertThat(memory.required("resident").longValue()).isGreaterThan(heap);
    assertThat(memory.required("heapTouched").booleanValue()).isTrue();
    assertThat(bytes(memory, "Java heap, used") + bytes(memory, "Java heap, free")).isEqualTo(heap);
    assertThat(bytes(memory, "mapped files") + bytes(memory, "shared memory")).isLessThan(heap / 8);
    checkParts(memory);
    assertThat(words.run("report", recording)).isZero();
    assertThat(words.printed()).doesNotContain("AlwaysPreTouch");
  }

  /** They are parts of what is resident, and hardly any is without an owner. */
  private static void checkParts(JsonNode memory) {
    assertThat(memory.required("accounted").booleanValue()).isTrue();
    long resident = memory.required("resident").longValue();
    long sum = 0;
    for (JsonNode part : memory.required("parts")) {
      assertThat(part.required("bytes").longValue()).isPositive();
      sum += part.required("bytes").longValue();
    }
    assertThat(sum).isEqualTo(resident);
    assertThat(bytes(memory, "unexplained")).isLessThanOrEqualTo(resident / 50);
  }

  private static long bytes(JsonNode memory, String name) {
    long bytes = 0;
    for (JsonNode part : memory.required("parts")) {
      bytes +=
          part.required("part").textValue().equals(name) ? part.required("bytes").longValue() : 0;
    }
    return bytes;
  }

  /** What the program left to read: whole pieces beside a recording that broke off. */
  @Test
  void run_recordingUnreadable_piecesAreRead() throws Exception {
    List<String> program = CommandProcess.program(BreakingProgram.class, "1000");
    CommandProcess.Ended ended = offcut().run(words(program, "--record"));
    assertThat(ended.exitCode()).isEqualTo(137);
    assertThat(ended.err()).containsPattern("arena\\.confined +1,000").contains("offcut: wrote");
  }

  @Test
  void output_toAFullDisk_fails() throws Exception {
    List<String> words = new ArrayList<>(List.of("sh", "-c", "exec \"$@\" >/dev/full", "sh"));
    words.addAll(CommandProcess.program(Main.class, "help"));
    Process help = new ProcessBuilder(words).start();
    assertThat(new String(help.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo("offcut: cannot write the result: No space left on device\n");
    assertThat(help.waitFor()).isEqualTo(1);
  }

  /** What fails in the command must not look as if the program had failed. */
  @Test
  void run_tablesNothingCanBeHadOf_is125() throws Exception {
    String script = "in=${JAVA_TOOL_OPTIONS##*tables=}; echo rubbish >${in%%,*}/1.tables; exit 7";
    CommandProcess.Ended ended = offcut().run("run", "--", "sh", "-c", script);
    assertThat(ended.exitCode()).isEqualTo(125);
    assertThat(ended.err())
        .contains("is no recording of Flight Recorder", "what the program left stays in /")
        .hasLineCount(3);
    String folder = ended.err().replaceAll("(?s).* stays in (\\S+);.*", "$1");
    try (Stream<Path> files = Files.walk(Path.of(folder))) {
      List<Path> all = files.sorted(Comparator.reverseOrder()).toList();
      assertThat(all).anyMatch(file -> file.endsWith("1.tables"));
      all.forEach(file -> file.toFile().delete());
    }
  }

  @Test
  void run_bug_is125() throws Exception {
    // The JDK throws an error when it is to start a process.
    CommandProcess offcut = offcut("-Djdk.lang.Process.launchMechanism=NONE");
    assertThat(offcut.run("run", "--", "true").exitCode()).isEqualTo(125);
  }

  /** Unread, so that the report cannot be written: the only way out is a signal. */
  @Test
  void run_terminatedAtTheReport_ends() throws Exception {
    int pipe = 1 << 16;
    Process process =
        offcut().startPiped(words(List.of("sh", "-c", "head -c " + pipe + " /dev/zero >&2")));
    try {
      Await.until("a full pipe", () -> process.getErrorStream().available() >= pipe);
      Await.until("the end of its child", () -> process.children().findAny().isEmpty());
      process.toHandle().destroy(); // the process's own closes its pipes, too: then it could write
      Await.until("its end", () -> !process.isAlive());
      assertThat(process.exitValue()).isEqualTo(143);
    } finally {
      process.destroyForcibly();
    }
  }

  private static void await(CommandProcess offcut, String line) throws Exception {
    Await.until(line, () -> offcut.printed().contains(line));
  }
}
