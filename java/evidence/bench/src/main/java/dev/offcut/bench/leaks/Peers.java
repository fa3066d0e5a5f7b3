package dev.offcut.bench.leaks;

import dev.offcut.bench.Agent;
import dev.offcut.bench.MemoryTool;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

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
    all.add(new NettyDetector(MemoryTool.NETTY_SIMPLE));
    all.add(new NettyDetector(MemoryTool.NETTY_PARANOID));
    Path jemalloc = MemoryTool.jemallocLibrary();
    if (jemalloc != null) {
      all.add(new Jemalloc(jemalloc));
    }
    return all;
  }

  /** What to say of each that is not. */
  static List<String> missing() {
    List<String> missing = new ArrayList<>();
    if (!AsyncProfiler.isThere()) {
      missing.add(
          AsyncProfiler.NAME
              + ": its library is for Linux, and its converter is not in "
              + tools());
    }
    if (MemoryTool.jemallocLibrary() == null) {
      missing.add(MemoryTool.jemallocAbsence());
    }
    return missing;
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
    static final String NAME = MemoryTool.ASYNC_PROFILER;
    private static final int FEW = 3;

    private static final Pattern LINE =
        Pattern.compile("dev/offcut/leaks/([A-Za-z]+)[.$][^;]*?:([0-9]+)_\\[");

    static boolean isThere() {
      return Files.isDirectory(tools()) && MemoryTool.isAsyncProfilerHere();
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
      MemoryTool.writeAsyncProfiler(library);
      MemoryTool tool = MemoryTool.asyncProfiler(library, recording);
      program.run(program.command(tool.options()), tool.environment());
      List<String> convert = new ArrayList<>(List.of(Program.jdk("java"), "-jar"));
      convert.add(tools().resolve("jfr-converter.jar").toString());
      convert.addAll(List.of("--nativemem", "--leak", "--total", "--lines", "-o", "collapsed"));
      convert.addAll(List.of(recording.toString(), stacks.toString()));
      program.run(convert, Map.of());
      return judge(program.leak(), Files.readAllLines(stacks));
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
      List<String> options = new ArrayList<>(MemoryTool.nmt().options());
      options.add("-Dleaks.wait=true");
      List<String> command = program.command(options);
      Process process = program.process(command, Map.of()).redirectErrorStream(true).start();
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
      return program.run(
          List.of(Program.jdk("jcmd"), pid, "VM.native_memory", what, "scale=KB"), Map.of());
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

  /**
   * Netty's own leak detector. Found: a line that it logs has the right line of the program.
   * Partly: it logs a leak. Alarm: the same.
   */
  record NettyDetector(String name) implements Finder {
    private static final String LEAK = "LEAK: ";

    @Override
    public boolean appliesTo(Leak leak) {
      return leak.name().startsWith("netty_");
    }

    @Override
    public Seen look(Program program) throws IOException, InterruptedException {
      List<String> options = MemoryTool.netty(name).options();
      return judge(program.leak(), program.run(program.command(options), Map.of()));
    }

    /** By what the program logs. */
    static Seen judge(Leak leak, String log) {
      int at = log.indexOf(LEAK);
      if (at < 0) {
        return Seen.NOTHING;
      }
      boolean line = leak.lines().stream().anyMatch(one -> log.indexOf(one, at) >= 0);
      return new Seen(line ? Verdict.FOUND : Verdict.PARTLY, 0, true, false);
    }
  }

  /**
   * jemalloc instead of the system's malloc, with its profile of live blocks at the end, one stack
   * in 64 KiB. Its stacks end at the first Java frame. Partly: of the native libraries, taken as
   * the first of each stack that is neither the system's nor the JVM's, the right one has most
   * bytes. It names no line of Java, so it never finds a leak whole.
   */
  record Jemalloc(Path library) implements Finder {
    static final String NAME = MemoryTool.JEMALLOC;

    private static final List<String> SYSTEM =
        List.of("libjemalloc", "libc.so", "libstdc++", "libgcc", "libjvm", "ld-linux", "libjli");

    private static final Pattern BYTES = Pattern.compile("t\\*: \\d+: (\\d+)");
    private static final Pattern MAPPING = Pattern.compile("^([0-9a-f]+)-([0-9a-f]+) .x?.*?(/.*)$");

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Seen look(Program program) throws IOException, InterruptedException {
      Path profiles = Files.createDirectories(program.folder().resolve("profiles"));
      MemoryTool tool = MemoryTool.jemalloc(library, profiles.resolve("p"));
      program.run(program.command(tool.options()), tool.environment());
      try (Stream<Path> files = Files.list(profiles)) {
        // One for each process that was forked; the program's is the largest.
        Path largest =
            files
                .max(Comparator.comparingLong(file -> file.toFile().length()))
                .orElseThrow(() -> new IOException("jemalloc wrote no profile"));
        return judge(program.leak(), Files.readAllLines(largest, StandardCharsets.ISO_8859_1));
      }
    }

    private record Mapping(long from, long to, String file) {}

    /** By a profile: stacks of addresses, each with its bytes, then the process's mappings. */
    static Seen judge(Leak leak, List<String> profile) {
      List<Mapping> mappings = new ArrayList<>();
      for (String line : profile) {
        Matcher mapping = MAPPING.matcher(line);
        if (mapping.find()) {
          mappings.add(
              new Mapping(
                  Long.parseUnsignedLong(mapping.group(1), 16),
                  Long.parseUnsignedLong(mapping.group(2), 16),
                  mapping.group(3)));
        }
      }
      Map<String, Long> libraries = new HashMap<>();
      String library = "";
      for (String line : profile) {
        Matcher bytes = BYTES.matcher(line);
        if (line.startsWith("@")) {
          library = libraryOf(line, mappings);
        } else if (!library.isEmpty() && bytes.find()) {
          libraries.merge(library, Long.parseLong(bytes.group(1)), Long::sum);
          library = "";
        }
      }
      List<Map.Entry<String, Long>> most = sorted(libraries);
      return !leak.library().isEmpty()
              && !most.isEmpty()
              && most.getFirst().getKey().contains(leak.library())
          ? Seen.of(Verdict.PARTLY, most.getFirst().getValue())
          : Seen.NOTHING;
    }

    private static String libraryOf(String stack, List<Mapping> mappings) {
      for (String word : stack.substring(1).strip().split(" +", -1)) {
        long address = Long.parseUnsignedLong(word.substring(2), 16);
        for (Mapping mapping : mappings) {
          boolean isIn = mapping.from() <= address && address < mapping.to();
          if (isIn && SYSTEM.stream().noneMatch(mapping.file()::contains)) {
            return mapping.file();
          }
        }
      }
      return "";
    }
  }
}
