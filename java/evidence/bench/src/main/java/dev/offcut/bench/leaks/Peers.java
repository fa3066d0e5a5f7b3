package dev.offcut.bench.leaks;

import dev.offcut.bench.Agent;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Other tools that look for native memory, each with the settings that show most. */
final class Peers {
  private Peers() {}

  /** Those that are on this machine. */
  static List<Finder> all() {
    List<Finder> all = new ArrayList<>();
    if (AsyncProfiler.isThere()) {
      all.add(new AsyncProfiler());
    }
    all.add(new NmtDiff());
    return all;
  }

  /** What to say of each that is not. */
  static List<String> missing() {
    return AsyncProfiler.isThere()
        ? List.of()
        : List.of(
            AsyncProfiler.NAME
                + ": its library is for Linux, and its converter is not in "
                + tools());
  }

  /** The jars of the tools, which no program has on its class path. */
  static Path tools() {
    return Agent.target("evidence/leaks").resolve("lib-tools");
  }

  /** The sum of the figures behind each key, the largest first. */
  private static List<Map.Entry<String, Long>> sorted(Map<String, Long> sums) {
    return sums.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()))
        .toList();
  }

  /**
   * async-profiler's {@code nativemem} at 64 KiB, and its converter with {@code --leak}. Found: of
   * the lines of the program, taken as the innermost in each stack, the right one has most bytes.
   * Partly: it is among the first three.
   */
  record AsyncProfiler() implements Finder {
    static final String NAME = "async-profiler";
    private static final int FEW = 3;

    private static final Pattern LINE =
        Pattern.compile("dev/offcut/leaks/([A-Za-z]+)[.$][^;]*?:([0-9]+)_\\[");

    static boolean isThere() {
      return Files.isDirectory(tools()) && System.getProperty("os.name").equals("Linux");
    }

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Seen look(Program program) throws IOException, InterruptedException {
      Path recording = program.folder().resolve("run.jfr");
      Path stacks = program.folder().resolve("stacks.txt");
      Path library = program.folder().resolve("libasyncProfiler.so");
      writeLibrary(library);
      String agent = "-agentpath:" + library + "=start,nativemem=64k,file=" + recording;
      program.run(program.command(List.of(agent)));
      List<String> convert = new ArrayList<>(List.of(Program.jdk("java"), "-jar"));
      convert.add(tools().resolve("jfr-converter.jar").toString());
      convert.addAll(List.of("--nativemem", "--leak", "--total", "--lines", "-o", "collapsed"));
      convert.addAll(List.of(recording.toString(), stacks.toString()));
      program.run(convert);
      return judge(program.leak(), Files.readAllLines(stacks));
    }

    /** Its jar has it by system. */
    private static void writeLibrary(Path library) throws IOException {
      String system = System.getProperty("os.arch").equals("aarch64") ? "linux-arm64" : "linux-x64";
      String name = "/" + system + "/libasyncProfiler.so";
      try (InputStream in = Peers.class.getResourceAsStream(name)) {
        Files.write(library, Objects.requireNonNull(in).readAllBytes());
      }
    }

    /** By stacks, a line each: frames with semicolons, a space, bytes. */
    static Seen judge(Leak leak, List<String> stacks) {
      Map<String, Long> lines = new HashMap<>();
      for (String stack : stacks) {
        String own = "";
        for (Matcher frame = LINE.matcher(stack); frame.find(); ) {
          own = frame.group(1) + ".java:" + frame.group(2);
        }
        long bytes = Long.parseLong(stack.substring(stack.lastIndexOf(' ') + 1));
        lines.merge(own, bytes, Long::sum);
      }
      lines.remove("");
      List<Map.Entry<String, Long>> most = sorted(lines);
      for (int i = 0; i < Math.min(FEW, most.size()); i++) {
        if (leak.lines().contains(most.get(i).getKey())) {
          return Seen.of(i == 0 ? Verdict.FOUND : Verdict.PARTLY, most.get(i).getValue());
        }
      }
      return Seen.NOTHING;
    }
  }

  /**
   * The JVM's native memory tracking: a baseline at the program's begin, the difference at its end.
   * Partly: the category that the memory is in grew most, by half of the truth or more. It names no
   * line of the program, so it never finds a leak whole.
   */
  record NmtDiff() implements Finder {
    static final String NAME = "nmt-diff";

    private static final Pattern CATEGORY =
        Pattern.compile("^- +(.+?) \\(reserved=.*committed=\\d+KB(?: ([+-]\\d+)KB)?\\)");

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Seen look(Program program) throws IOException, InterruptedException {
      List<String> options = new ArrayList<>(List.of("-XX:NativeMemoryTracking=summary"));
      options.add("-Dleaks.wait=true");
      List<String> command = program.command(options);
      Process process = program.process(command).redirectErrorStream(true).start();
      try (BufferedReader out = process.inputReader(StandardCharsets.ISO_8859_1);
          OutputStream in = process.getOutputStream()) {
        await(out, "@leaks begin");
        jcmd(program, process, "baseline");
        proceed(in);
        await(out, "@leaks end");
        String difference = jcmd(program, process, "summary.diff");
        proceed(in);
        out.lines().forEach(line -> {});
        Program.finish(process);
        return judge(program.leak(), difference.lines().toList());
      } finally {
        process.destroyForcibly();
      }
    }

    private static void await(BufferedReader out, String line) throws IOException {
      for (String read = out.readLine(); !line.equals(read); read = out.readLine()) {
        if (read == null) {
          throw new IOException("the program ended before it said " + line);
        }
      }
    }

    private static void proceed(OutputStream in) throws IOException {
      in.write('\n');
      in.flush();
    }

    private static String jcmd(Program program, Process of, String what)
        throws IOException, InterruptedException {
      String pid = String.valueOf(of.pid());
      return program.run(List.of(Program.jdk("jcmd"), pid, "VM.native_memory", what, "scale=KB"));
    }

    /** By what jcmd prints. */
    static Seen judge(Leak leak, List<String> difference) {
      Map<String, Long> grown = new HashMap<>();
      for (String line : difference) {
        Matcher category = CATEGORY.matcher(line);
        if (category.find() && category.group(2) != null) {
          grown.put(category.group(1), Long.parseLong(category.group(2)) << 10);
        }
      }
      List<Map.Entry<String, Long>> most = sorted(grown);
      long bytes = grown.getOrDefault(leak.nmt(), 0L);
      boolean isMost = !most.isEmpty() && most.getFirst().getKey().equals(leak.nmt());
      return isMost && 2 * bytes >= leak.bytes()
          ? Seen.of(Verdict.PARTLY, bytes)
          : Seen.of(Verdict.NOT, isMost ? bytes : 0);
    }
  }
}
