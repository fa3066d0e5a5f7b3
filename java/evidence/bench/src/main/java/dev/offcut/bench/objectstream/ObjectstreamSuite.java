package dev.offcut.bench.objectstream;

import static dev.offcut.bench.objectstream.ObjectstreamCases.GRAPHS;
import static dev.offcut.bench.objectstream.ObjectstreamCases.GUARD;
import static dev.offcut.bench.objectstream.ObjectstreamCases.JBOSS;
import static dev.offcut.bench.objectstream.ObjectstreamCases.LIMIT;
import static dev.offcut.bench.objectstream.ObjectstreamCases.OURS;
import static dev.offcut.bench.objectstream.ObjectstreamCases.STOCK;

import dev.offcut.bench.Agent;
import dev.offcut.bench.Bar;
import dev.offcut.bench.Bar.Place;
import dev.offcut.bench.Case;
import dev.offcut.bench.ChildRun;
import dev.offcut.bench.Jdk;
import dev.offcut.bench.Suite;
import dev.offcut.bench.Versions;
import dev.offcut.bench.objectstream.Profile.Sampling;
import dev.offcut.bench.objectstream.Programs.OlderJdk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Suite {@code objectstream}: reading object graphs with the stock stream, with Offcut's agent,
 * with the guard that was proposed for JDK-8246633, with a stream written by hand, and with JBoss
 * Marshalling; what share of it is the stack walk; and what the agent costs the start of a program.
 * On our own JDK, and, but for JBoss Marshalling, on a JDK 17 where there is one.
 *
 * <p>Every implementation runs in a JVM of its own, which says at the end whether it was what its
 * row is to say: agent there or not, guard there and in force or not. The guard has two rows, since
 * the first class loader that a program constructs ends it.
 */
public final class ObjectstreamSuite implements Suite {
  private static final double OF_LIMIT = 1.10;

  /** The compiler leaves out now more, now fewer objects; an object more a read is far above. */
  private static final double SAME_ALLOCATION = 1.001;

  private final Programs programs = new Programs();

  @Override
  public String name() {
    return "objectstream";
  }

  @Override
  public List<Case> cases(boolean quick) {
    return inForm(quick).all();
  }

  private ObjectstreamCases inForm(boolean quick) {
    return new ObjectstreamCases(
        quick, programs, jdks(), Agent.retrofit(), Sampling.find().event());
  }

  private static List<Jdk> jdks() {
    Jdk older = OlderJdk.find().jdk();
    return older == null ? List.of(Jdk.OWN) : List.of(Jdk.OWN, older);
  }

  @Override
  public List<LeftOut> leftOut() {
    return leftOut(Agent.retrofit(), OlderJdk.find(), Sampling.find());
  }

  List<LeftOut> leftOut(@Nullable Path agent, OlderJdk older, Sampling sampling) {
    List<LeftOut> all = new ArrayList<>();
    for (Case of : cases(false)) {
      if (agent == null) {
        all.add(new LeftOut(of.name(), Agent.absence(OURS)));
      }
      if (ObjectstreamCases.isProfiled(of)) {
        if (sampling.event() == null) {
          all.add(new LeftOut(of.name(), sampling.why()));
        }
      } else if (older.jdk() == null) {
        all.add(new LeftOut(of.name(), older.why()));
      }
    }
    return all;
  }

  @Override
  public List<ChildRun> prepare(List<Case> cases) throws IOException {
    List<ChildRun> all = cases.stream().flatMap(of -> of.runs().stream()).toList();
    programs.create();
    List<ChildRun> archives = new ArrayList<>();
    for (Jdk jdk : all.stream().map(ChildRun::jdk).distinct().toList()) {
      List<ChildRun> on = all.stream().filter(run -> run.jdk().equals(jdk)).toList();
      if (on.stream().anyMatch(run -> run.impl().startsWith(GUARD))) {
        programs.createGuard(jdk);
      }
      if (on.stream().anyMatch(run -> programs.usesArchive(run))) {
        archives.add(inForm(true).archiving(jdk));
      }
    }
    return archives;
  }

  @Override
  public List<Bar> bars() {
    List<Bar> bars = new ArrayList<>();
    bars.add(cpu("nest20_100").atMost(0.45, OURS, STOCK));
    bars.add(cpu("nest5_100").atMost(0.70, OURS, STOCK));
    bars.add(cpu("flat_100").atMost(0.90, OURS, STOCK));
    bars.add(cpu("classes1000_nest5").atMost(0.45, OURS, STOCK));
    bars.add(cpu("list_1000_integers").atMost(1.02, OURS, STOCK));
    GRAPHS.forEach(graph -> bars.add(cpu(graph).atMost(OF_LIMIT, OURS, LIMIT)));
    for (String graph : GRAPHS) {
      Place made = new Place(graph, "alloc_bytes_per_op", "G1", 1);
      bars.add(made.atMost(SAME_ALLOCATION, OURS, STOCK));
    }
    bars.add(new Place("startup", "hello_over_stock_cpu_ms", "G1", 1).below(100, OURS));
    bars.add(new Place("startup", "appcds_over_idle_cpu_ms", "G1", 1).atMost(60, OURS));
    Place archived = new Place("appcds_1000", "classes_from_archive", "G1", 1);
    bars.add(archived.exactly(LeafClass.COUNT, OURS));
    return List.copyOf(bars);
  }

  private static Place cpu(String graph) {
    return new Place(graph, "cpu_us_per_op", "G1", 1);
  }

  @Override
  public String version(String impl, Jdk jdk) {
    if (JBOSS.contains(impl)) {
      return Versions.of("org.jboss.marshalling", "jboss-marshalling");
    }
    return isOurs(impl) ? Versions.of("dev.offcut", "offcut-handle") : jdk.version();
  }

  /** What is over a baseline says of the baseline's peers nothing that the whole does not. */
  @Override
  public Better better(String metric) {
    if (metric.contains("_over_") || metric.equals("samples")) {
      return Better.NEITHER;
    }
    return metric.equals("classes_from_archive") ? Better.HIGHER : Better.LOWER;
  }

  @Override
  public boolean isOurs(String impl) {
    return impl.equals(OURS);
  }

  /** The idle agent is a baseline, the stream written by hand a limit. */
  @Override
  public boolean isPeer(String impl) {
    return impl.equals(STOCK) || impl.startsWith(GUARD) || JBOSS.contains(impl);
  }
}
