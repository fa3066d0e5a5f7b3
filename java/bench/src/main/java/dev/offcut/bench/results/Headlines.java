package dev.offcut.bench.results;

import static dev.offcut.bench.results.Cells.NONE;

import dev.offcut.bench.leaks.LeaksTable;
import dev.offcut.bench.longmap.FiveFigures;
import dev.offcut.bench.read.RunFile;
import dev.offcut.bench.results.Section.Table;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The five sources, each with its own headline figures as it published them. Published figures are
 * of other machines and versions: they stand beside what was measured here, and no ratio is made
 * across the two.
 */
final class Headlines {
  private static final String G1 = "G1";
  private static final String GO = "Go";

  private Headlines() {}

  /** That of a suite; null if none of the sources is about it. */
  static @Nullable Headline of(Outcome outcome) {
    RunFile run = outcome.run();
    return switch (outcome.suite()) {
      case "handle" -> finalization(new Cells(run, G1));
      case "go" -> go(new Cells(run, GO));
      case "objectstream" -> resolveClass(new Cells(run, G1), outcome);
      case "longmap" -> jna(new Cells(run, G1));
      case "replay" -> metaspace(new Cells(run, G1));
      case "leaks" -> leaks(new Cells(run, G1));
      case "contention" -> contention(run);
      default -> null;
    };
  }

  private static Headline leaks(Cells cells) {
    List<List<String>> lines = LeaksTable.of(cells::value);
    return new Headline(
        "Which tool finds which leak",
        "the Leak Collection: twenty leaks that users reported, each with its thread",
        null,
        "Found: the first finding is the right one, with the right line of the program. Partly:"
            + " something of that; docs/design/bench.md has the rule for each tool. False alarm: the"
            + " tool says the same, or half as much, of the program in which the leak is fixed."
            + " Empty: the tool is not for such leaks.",
        lines.isEmpty()
            ? List.of()
            : List.of(
                new Table("Leaks by tools", lines.getFirst(), lines.subList(1, lines.size()))));
  }

  private static Headline contention(@Nullable RunFile run) {
    return new Headline(
        "Throughput by threads",
        "the universal scalability law, N. J. Gunther, “Guerrilla Capacity Planning”, 2007",
        null,
        "Of n threads: λ n / (1 + σ (n − 1) + κ n (n − 1)). σ is the share of an operation that one"
            + " thread does at a time; κ is what each pair of threads costs each other. The law is"
            + " fitted to all points of a curve. More threads than CPUs share them, which raises σ"
            + " of every implementation: compare rows of one case.",
        run == null ? List.of() : List.of(new ScalingCurves(run).laws()));
  }

  private static Headline finalization(Cells cells) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(process(cells, "plain", "100,000,000", "0.85", "0.90", "33,260", "article_100m_"));
    lines.add(process(cells, "plain", "10,000,000", NONE, NONE, NONE, "article_"));
    lines.add(process(cells, "jdk-finalize", "10,000,000", "6.27", "19.14", "735,228", "article_"));
    lines.add(process(cells, "jdk-cleaner", "10,000,000", "0.99", "1.12", "177,312", "article_"));
    lines.add(process(cells, "offcut", "10,000,000", NONE, NONE, NONE, "article_"));
    lines.add(process(cells, "offcut-cleaner", "10,000,000", NONE, NONE, NONE, "article_"));
    List<String> heads =
        List.of(
            "implementation",
            "handles, published",
            "published: elapsed s",
            "user s",
            "max. resident KB",
            "here: elapsed s",
            "user s",
            "max. resident KB");
    return new Headline(
        "A handle that is closed at once",
        "“Java finalization revisited”, Florian Weimer",
        null,
        "Published with OpenJDK 9, whole processes under time(1). Here the same program, with the"
            + " same counts"
            + (cells.run() != null && cells.run().isQuick() ? " by 20, the quick form." : "."),
        List.of(new Table("The article's program", heads, lines)));
  }

  private static List<String> process(
      Cells cells,
      String impl,
      String count,
      String elapsed,
      String user,
      String resident,
      String prefix) {
    List<String> line = new ArrayList<>(List.of(impl, count, elapsed, user, resident));
    for (String metric : List.of("elapsed_ms", "user_ms")) {
      line.add(cells.scaled("finalization", impl, prefix + metric, 0.001, 2));
    }
    line.add(cells.scaled("finalization", impl, prefix + "max_rss_mb", 1024, 0));
    return line;
  }

  private static Headline go(Cells cells) {
    return new Headline(
        "C memory with a net under it",
        "“Some notes on the cost of Go finalizers (in Go 1.20)”, Chris Siebenmann, 20 May 2023,"
            + " after Daniel Lemire's “The absurd cost of finalizers in Go”",
        "https://utcc.utoronto.ca/~cks/space/blog/programming/GoFinalizerCostsNotes",
        "Published with Go 1.20, wall time: about ten times a direct malloc and free with a"
            + " finalizer. The table of sizes is from a comment on it, on an i7-1260P. Here CPU"
            + " time of the whole process.",
        List.of(goHeadline(cells), goSizes(cells), goProfile(cells)));
  }

  /** The article names shares of what it calls a benchmark that only sets finalizers. */
  private static Table goProfile(Cells cells) {
    String[][] published = {
      {"registration", "over 50", "registration_percent"},
      {"… of it the walk over a list", "mostly addspecial", "list_walk_percent"},
      {"locks", "20", "locks_percent"},
      {"collector", "27", "gc_percent"},
      {"running finalizers", "21", "running_percent"}
    };
    List<List<String>> lines = new ArrayList<>();
    for (String[] part : published) {
      List<String> line = new ArrayList<>(List.of(part[0], part[1]));
      for (String impl : List.of("setfinalizer", "addcleanup")) {
        line.add(cells.of("profile_split", impl, part[2]));
      }
      lines.add(line);
    }
    List<String> heads =
        List.of("part", "published: SetFinalizer %", "here: SetFinalizer %", "AddCleanup %");
    return new Table("Where registering alone spends its time; parts overlap", heads, lines);
  }

  private static Table goHeadline(Cells cells) {
    List<List<String>> lines = new ArrayList<>();
    for (String impl :
        List.of("direct", "setfinalizer", "addcleanup", "offcut-handle", "offcut-pool")) {
      String published =
          impl.equals("direct") ? "1" : impl.equals("setfinalizer") ? "about 10" : NONE;
      List<String> line = new ArrayList<>(List.of(impl, published));
      for (String form : List.of("cgo_alloc_free_closed", "cgo_alloc_free_forgotten")) {
        line.add(cells.of(form, impl, "cpu_ns_per_op"));
        line.add(cells.ratio(form, impl, "direct", "cpu_ns_per_op"));
      }
      lines.add(line);
    }
    List<String> heads =
        List.of(
            "implementation",
            "published: by direct",
            "here, closed: ns",
            "by direct",
            "here, forgotten: ns",
            "by direct");
    return new Table("malloc and free of C from Go", heads, lines);
  }

  private static Table goSizes(Cells cells) {
    String[][] published = {
      {"8", "7.476", "736.0"},
      {"16", "11.08", "446.9"},
      {"32", "13.11", "333.8"},
      {"64", "18.43", "258.2"},
      {"128", "29.68", "205.8"},
      {"256", "52.06", "223.4"},
      {"512", "92.86", "279.9"},
      {"1024", "177.9", "385.0"},
      {"2048", "355.3", "589.0"},
      {"4096", "706.9", "972.7"}
    };
    List<String> impls =
        List.of("alloc", "setfinalizer", "addcleanup", "offcut-handle", "offcut-pool");
    List<List<String>> lines = new ArrayList<>();
    for (String[] size : published) {
      List<String> line = new ArrayList<>(List.of(size));
      impls.forEach(impl -> line.add(cells.of("per_size_" + size[0], impl, "cpu_ns_per_op")));
      lines.add(line);
    }
    List<String> heads = new ArrayList<>(List.of("bytes", "published: alloc ns", "finalizer ns"));
    impls.forEach(impl -> heads.add("here: " + impl + " ns"));
    return new Table("By the size of the Go object", heads, lines);
  }

  private static Headline resolveClass(Cells cells, Outcome outcome) {
    List<Table> tables = new ArrayList<>(List.of(walk(cells), reads(cells)));
    for (String file : profiles()) {
      Table frames = ProfileTable.of(outcome.folder().resolve(file));
      if (frames != null) {
        tables.add(frames);
      }
    }
    return new Headline(
        "The stack walk of ObjectInputStream.resolveClass",
        "JDK-8246633 and its review on core-libs-dev, June 2020",
        "https://bugs.openjdk.org/browse/JDK-8246633",
        "Published: more than 5 % of the CPU of SPECjbb2015 is in the walk, which is of about 20"
            + " frames on average; no table. The proposed guard was not taken. Here graphs that"
            + " are read: what share of the reading thread's CPU is the walk, by async-profiler"
            + " (Flight Recorder does not see it), and the CPU of a read, with each.",
        tables);
  }

  /** The files of the profiles that are shown: of the graph in which the walk is most of all. */
  static List<String> profiles() {
    return List.of(
        "walk_nest20_100-stock" + ProfileTable.ENDING,
        "walk_nest20_100-offcut-agent" + ProfileTable.ENDING);
  }

  private static Table walk(Cells cells) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("SPECjbb2015", "over 5", NONE, NONE, NONE, NONE));
    for (String graph : List.of("flat_100", "nest1_100", "nest5_100", "nest20_100")) {
      List<String> line = new ArrayList<>(List.of(graph, NONE));
      for (String impl : List.of("stock", "offcut-agent")) {
        line.add(cells.of("walk_" + graph, impl, "walk_percent"));
        line.add(cells.of("walk_" + graph, impl, "descriptor_percent"));
      }
      lines.add(line);
    }
    List<String> heads =
        List.of(
            "program",
            "published: in the walk %",
            "here, stock: in the walk %",
            "in class descriptors, walk included %",
            "here, with the agent: in the walk %",
            "in class descriptors, walk included %");
    return new Table("Share of the CPU that is the walk, by nesting", heads, lines);
  }

  private static Table reads(Cells cells) {
    List<List<String>> lines = new ArrayList<>();
    for (String graph :
        List.of("flat_100", "nest5_100", "nest20_100", "classes1000_nest5", "rmi_roundtrip")) {
      List<String> line = new ArrayList<>(List.of(graph));
      for (String impl :
          List.of("stock", "guard-8246633", "guard-8246633-loader", "fixed-loader")) {
        line.add(cells.of(graph, impl, "cpu_us_per_op"));
      }
      line.add(cells.of(graph, "offcut-agent", "cpu_us_per_op"));
      line.add(cells.ratio(graph, "offcut-agent", "stock", "cpu_us_per_op"));
      lines.add(line);
    }
    List<String> heads =
        List.of(
            "graph",
            "stock µs",
            "proposed guard µs",
            "guard, once a class loader was made µs",
            "stream written by hand µs",
            "Offcut's agent µs",
            "agent by stock");
    return new Table("CPU time to read a graph", heads, lines);
  }

  private static Headline jna(Cells cells) {
    String[][] published = {
      {"ops_per_ms", "24,453 ±991", "27,790 ±1,043"},
      {"alloc_mb_per_s", "2,440 ±99", "672 ±25"},
      {"alloc_bytes_per_op", "104.728 ±0.042", "25.364 ±0.036"},
      {"gc_count", "235", "60"},
      {"gc_time_ms", "333", "39"}
    };
    List<List<String>> lines = new ArrayList<>();
    for (String[] row : published) {
      List<String> line = new ArrayList<>(List.of(row));
      for (String impl : List.of("jdk-chm", "artemis", "offcut")) {
        line.add(cells.of("add_remove", impl, row[0]));
      }
      lines.add(line);
    }
    List<String> heads =
        List.of(
            "metric",
            "published: ConcurrentHashMap",
            "Artemis' map",
            "here: ConcurrentHashMap",
            "Artemis' map " + cells.version("add_remove", "artemis"),
            "Offcut's");
    List<List<String>> memory = new ArrayList<>();
    for (String metric : FiveFigures.METRICS) {
      memory.add(
          List.of(
              metric,
              cells.of("jna_memory", "jna-stock", metric),
              cells.of("jna_memory", "jna-offcut", metric)));
    }
    Table jna =
        new Table(
            "new Memory(64) and its close, JNA " + cells.version("jna_memory", "jna-stock"),
            List.of("metric", "here: JNA as it is", "here: with Offcut's map in it, by the agent"),
            memory);
    return new Headline(
        "JNA's register of addresses",
        "JNA, pull request 1703, Brett Wooldridge, 18 November 2025",
        "https://github.com/java-native-access/jna/pull/1703",
        "Published from JMH, 12 iterations; ± is JMH's error there, and half the distance between"
            + " the quartiles here. Of the bytes, 24 are the value that the benchmark puts.",
        List.of(new Table("Put and remove of a value", heads, lines), jna));
  }

  private static Headline metaspace(Cells cells) {
    List<String> metrics = List.of("large_classes", "handed_out_percent", "used_percent");
    List<List<String>> lines = new ArrayList<>();
    lines.add(replayed(cells, "fixed: JDK 10 and before", "about 800", "40 %", "fixed", metrics));
    lines.add(
        replayed(
            cells, "coalescing: the patch", "about 2,900", "almost all", "coalescing", metrics));
    lines.add(replayed(cells, "buddy: Offcut's pool", NONE, NONE, "buddy", metrics));
    lines.add(replayed(cells, "this JDK, really run", NONE, NONE, "jdk", metrics));
    List<String> heads =
        List.of(
            "allocator",
            "published: large classes",
            "used",
            "here: large classes",
            "handed out %",
            "used %");
    List<List<String>> sweep = new ArrayList<>();
    for (String every : List.of("100", "32", "16", "8")) {
      List<String> line = new ArrayList<>(List.of("1 in " + every));
      for (String policy : List.of("fixed", "coalescing", "buddy", "jdk")) {
        line.add(cells.of("survivors_" + every, policy, "large_classes"));
      }
      sweep.add(line);
    }
    return new Headline(
        "Chunks of the wrong size",
        "JDK-8198423, Thomas Stüfe, February 2018",
        "https://bugs.openjdk.org/browse/JDK-8198423",
        "Published: Example2 in a class space of 10 MiB. Here a replay of it in the same space; the"
            + " JDK at hand makes its class space larger than it is told, so its line is there to"
            + " be seen, not compared. The maps are of class space when it is out.",
        List.of(
            new Table("Example2", heads, lines),
            new Table(
                "Large classes when some small loaders stay",
                List.of("survivors", "fixed", "coalescing", "buddy", "this JDK"),
                sweep)));
  }

  private static List<String> replayed(
      Cells cells, String name, String classes, String used, String policy, List<String> metrics) {
    List<String> line = new ArrayList<>(List.of(name, classes, used));
    metrics.forEach(metric -> line.add(cells.of("example2", policy, metric)));
    return line;
  }

  /**
   * What a source published, beside what was measured here.
   *
   * @param source its title, author and date
   * @param link where it is; null where no lasting address is known
   * @param says its figures' setting, and what differs here
   */
  record Headline(
      String title, String source, @Nullable String link, String says, List<Table> tables) {}
}
