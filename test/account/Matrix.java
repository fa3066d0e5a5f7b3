import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import dev.offcut.resident.Account;
import dev.offcut.resident.Accountant;
import dev.offcut.resident.Part;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Takes accounts of programs on each JDK, with each collector, and tries each prediction of a trim.
 * Prints two tables, and what misses its bar. Exits with 1 if anything does.
 *
 * <p>Arguments: a folder for files; the class path of other projects' programs; the bundled
 * program's; a malloc to preload, or empty; JVMs as {@code 17=/home} or {@code musl=/home}; and
 * {@code --} with names of programs or JVMs, if not all are wanted.
 */
final class Matrix {
  private static final double MIB = 1 << 20;
  private static final List<String> COLLECTORS =
      List.of("G1", "Parallel", "Serial", "Z", "Shenandoah");
  private static final List<String> PATTERNS = List.of("mixed", "small", "burst", "threads");

  /** A program is looked at for so long, unless it ends before. */
  private static final long WATCHED_NANOS = 4_000_000_000L;

  /** A tool that comes late attaches after so long. */
  private static final long LATE_MILLIS = 2_500;

  private static final long PAUSE_MILLIS = 100;
  private static final long SMALL = 64 << 20;
  private static final double SMALL_BAR = 2;
  private static final double BAR = 1;

  /** A JVM for musl, and the JDK that it is. */
  private static final String MUSL = "musl";

  private static final int MUSL_JDK = 17;

  /** Predictions of more than this have to be right to 10 %. */
  private static final long PREDICTED = 50 << 20;

  private static final double TRIM_BAR = 10;

  /** The name in the tables, its main class, arguments, and the first JDK that runs it. */
  private record Program(String name, int firstJdk, String... command) {}

  private static final List<Program> PROGRAMS =
      List.of(
          new Program("OSHI", 17, "dev.offcut.apps.SystemFacts", "20"),
          new Program("Lucene", 21, "dev.offcut.apps.FullTextSearch", "20"),
          new Program("Netty", 17, "dev.offcut.apps.EchoUnderLoad", "20"),
          new Program("H2", 17, "dev.offcut.apps.DatabaseSession", "20"),
          new Program("RMI", 17, "dev.offcut.apps.RemoteCalls", "20"),
          new Program("bundled", 25, "dev.offcut.examples.sqlite.Main", "--rows", "400000"));

  private final Path folder;
  private final List<String> complaints = new ArrayList<>();
  private int cells;

  private Matrix(Path folder) {
    this.folder = folder;
  }

  public static void main(String[] arguments) throws Exception {
    Map<String, String> jdks = new LinkedHashMap<>();
    List<String> wanted = new ArrayList<>();
    for (int i = 4; i < arguments.length; i++) {
      if (arguments[i].equals("--")) {
        wanted.addAll(List.of(arguments).subList(i + 1, arguments.length));
        break;
      }
      int at = arguments[i].indexOf('=');
      jdks.put(arguments[i].substring(0, at), arguments[i].substring(at + 1));
    }
    List<String> only =
        wanted.stream().filter(word -> !word.matches("[0-9]+") && !word.equals(MUSL)).toList();
    if (only.size() < wanted.size()) {
      jdks.keySet().retainAll(wanted);
    }
    Matrix matrix = new Matrix(Path.of(arguments[0]));
    matrix.accounts(jdks, only, arguments[1], arguments[2], arguments[3]);
    jdks.remove(MUSL); // it has no trim
    if (!jdks.isEmpty() && (only.isEmpty() || only.contains("trim"))) {
      matrix.trims(jdks, arguments[1]);
    }
    matrix.complaints.forEach(System.out::println);
    System.out.printf("%d measured, %d over the bar%n", matrix.cells, matrix.complaints.size());
    System.exit(matrix.complaints.isEmpty() && matrix.cells > 0 ? 0 : 1);
  }

  private void accounts(
      Map<String, String> jdks, List<String> only, String apps, String bundled, String malloc)
      throws Exception {
    List<Program> programs =
        PROGRAMS.stream().filter(one -> only.isEmpty() || only.contains(one.name())).toList();
    if (programs.isEmpty()) {
      return;
    }
    System.out.println(
        "The worst unexplained share of resident memory in all accounts of a run, in %");
    System.out.printf("%-9s %4s", "program", "JDK");
    COLLECTORS.forEach(collector -> System.out.printf(" %10s", collector));
    System.out.printf(" %10s %10s%n", "late", malloc.isEmpty() ? "" : "jemalloc");
    for (Program program : programs) {
      for (Map.Entry<String, String> jdk : jdks.entrySet()) {
        boolean isMusl = jdk.getKey().equals(MUSL);
        if ((isMusl ? MUSL_JDK : Integer.parseInt(jdk.getKey())) < program.firstJdk()) {
          continue;
        }
        String classes = program.name().equals("bundled") ? bundled : apps;
        System.out.printf("%-9s %4s", program.name(), jdk.getKey());
        for (String collector : COLLECTORS) {
          cell(new Run(program, jdk.getValue(), classes, collector, "", false));
        }
        cell(new Run(program, jdk.getValue(), classes, "G1", "", true));
        if (!malloc.isEmpty() && !isMusl) {
          cell(new Run(program, jdk.getValue(), classes, "G1", malloc, false));
        }
        System.out.println();
      }
    }
  }

  private void cell(Run run) throws Exception {
    if (!run.isPossible()) {
      System.out.printf(" %10s", "none");
      return;
    }
    Worst worst = worst(run);
    if (worst == null) {
      System.out.printf(" %10s", "ended");
      return;
    }
    cells++;
    System.out.printf(" %9s%s", worst.text(), worst.isOver() ? "!" : " ");
    if (worst.isOver()) {
      complaints.add(run + ": " + worst);
    }
  }

  private record Run(
      Program program, String jdk, String classes, String collector, String malloc, boolean late) {
    private String java() {
      return jdk + "/bin/java";
    }

    private String option() {
      return "-XX:+Use" + collector + "GC";
    }

    boolean isPossible() throws Exception {
      Process probe =
          new ProcessBuilder(java(), option(), "-version")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return probe.waitFor() == 0;
    }

    Process start(File output) throws IOException {
      List<String> command = new ArrayList<>(List.of(java(), "-Xmx512m", option()));
      command.addAll(
          List.of("-XX:+IgnoreUnrecognizedVMOptions", "--enable-native-access=ALL-UNNAMED"));
      command.addAll(List.of("-cp", classes));
      command.addAll(List.of(program.command()));
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      if (!malloc.isEmpty()) {
        builder.environment().put("LD_PRELOAD", malloc);
      }
      return builder.redirectOutput(output).start();
    }

    @Override
    public String toString() {
      return program.name()
          + " on "
          + jdk
          + " with "
          + collector
          + (late ? ", attached late" : "")
          + (malloc.isEmpty() ? "" : ", " + malloc);
    }
  }

  /** The account with the largest unexplained share; or why there is none. */
  private record Worst(double share, Account account, String failure) {
    boolean isOver() {
      return account == null
          || !failure.isEmpty()
          || share > (account.resident() < SMALL ? SMALL_BAR : BAR);
    }

    String text() {
      return account == null ? "no account" : String.format("%.2f", share);
    }

    @Override
    public String toString() {
      StringBuilder text = new StringBuilder(failure);
      if (account != null) {
        text.append(String.format("%.2f %% of %.1f MiB", share, account.resident() / MIB));
        account
            .rows()
            .forEach(
                row ->
                    text.append(
                        String.format(
                            "%n    %8.1f MiB  %s %s",
                            row.bytes() / MIB, row.part().title(), row.detail())));
        account.limits().forEach(limit -> text.append(String.format("%n    %s", limit)));
      }
      return text.toString();
    }
  }

  /** Null of one that had ended before a late tool came. */
  private Worst worst(Run run) throws Exception {
    File output = folder.resolve("output").toFile();
    Process process = run.start(output);
    Worst worst = new Worst(0, null, "");
    try {
      if (run.late()) {
        Thread.sleep(LATE_MILLIS);
        if (!process.isAlive()) {
          return null;
        }
      }
      attach(process);
      Accountant accountant = new Accountant(process.pid());
      for (long end = System.nanoTime() + WATCHED_NANOS; System.nanoTime() < end; ) {
        Account account;
        try {
          account = accountant.take();
        } catch (IOException e) {
          if (!process.isAlive() || e.getMessage().contains("ended")) {
            break;
          }
          throw e;
        }
        Worst one = new Worst(share(account), account, check(account));
        worst =
            worst.account() == null || one.isOver() || one.share() > worst.share() ? one : worst;
        Thread.sleep(PAUSE_MILLIS);
      }
      return worst.account() != null ? worst : new Worst(0, null, "it printed " + last(output));
    } catch (IOException | AttachNotSupportedException e) {
      return new Worst(0, null, e + ", and it printed " + last(output));
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private static double share(Account account) {
    long unexplained = account.bytes(Part.UNEXPLAINED) + account.bytes(Part.ALLOCATOR_UNREAD);
    return 100.0 * unexplained / account.resident();
  }

  /** Rows add up, and none is below zero. */
  private static String check(Account account) {
    long sum = account.rows().stream().mapToLong(Account.Row::bytes).sum();
    boolean isRight =
        sum == account.resident() && account.rows().stream().allMatch(row -> row.bytes() >= 0);
    return isRight ? "" : "the rows have " + sum + " bytes, not " + account.resident() + ": ";
  }

  /** A JVM is listed once it can be asked; a signal that comes before that would end it. */
  private static void attach(Process process) throws Exception {
    String pid = String.valueOf(process.pid());
    while (process.isAlive()
        && VirtualMachine.list().stream().noneMatch(jvm -> jvm.id().equals(pid))) {
      Thread.sleep(20);
    }
    VirtualMachine.attach(pid).detach();
  }

  private static String last(File output) throws IOException {
    List<String> lines = Files.readAllLines(output.toPath());
    return lines.isEmpty() ? "nothing" : lines.get(lines.size() - 1);
  }

  private void trims(Map<String, String> jdks, String classes) throws Exception {
    System.out.printf(
        "%nWhat a trim of malloc returns, and what resident memory fell by, in MiB%n");
    System.out.printf(
        "%-9s %4s %10s %10s %7s%n", "pattern", "JDK", "predicted", "fell by", "off, %");
    for (String pattern : PATTERNS) {
      for (Map.Entry<String, String> jdk : jdks.entrySet()) {
        cells++;
        trim(pattern, jdk.getKey(), jdk.getValue(), classes);
      }
    }
  }

  private void trim(String pattern, String version, String jdk, String classes) throws Exception {
    Process process =
        new ProcessBuilder(
                jdk + "/bin/java",
                "-Xmx200m",
                "-XX:+UseSerialGC",
                "-XX:MaxDirectMemorySize=1g",
                "-cp",
                classes,
                "Fragments",
                pattern)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      BufferedReader said = process.inputReader();
      if (!"ready".equals(said.readLine())) {
        complaints.add("the program for trims did not run: " + pattern + " on " + jdk);
        return;
      }
      attach(process);
      Accountant accountant = new Accountant(process.pid());
      accountant.take(); // what the first one costs the JVM is there by then
      Account before = accountant.take();
      Process trim =
          new ProcessBuilder(
                  jdk + "/bin/jcmd", String.valueOf(process.pid()), "System.trim_native_heap")
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      int status = trim.waitFor();
      Account after = accountant.take();
      long predicted = before.bytes(Part.MALLOC_TRIMMABLE);
      long fell = before.resident() - after.resident();
      double off = 100.0 * (predicted - fell) / Math.max(1, fell);
      boolean isOver =
          status != 0
              || predicted < PREDICTED
              || Math.abs(off) > TRIM_BAR
              || after.bytes(Part.MALLOC_TRIMMABLE) > predicted / 10;
      System.out.printf(
          "%-9s %4s %10.1f %10.1f %6.1f%s%n",
          pattern, version, predicted / MIB, fell / MIB, off, isOver ? "!" : " ");
      if (isOver) {
        complaints.add(
            String.format(
                "%s on %s: a trim (status %d) left %.1f MiB that it returns",
                pattern, jdk, status, after.bytes(Part.MALLOC_TRIMMABLE) / MIB));
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
  }
}
