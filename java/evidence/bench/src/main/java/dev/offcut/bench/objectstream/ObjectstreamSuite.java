package dev.offcut.bench.objectstream;

import dev.offcut.bench.Agent;
import dev.offcut.bench.Bar;
import dev.offcut.bench.Bar.Place;
import dev.offcut.bench.Case;
import dev.offcut.bench.ChildRun;
import dev.offcut.bench.Suite;
import dev.offcut.bench.Versions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Suite {@code objectstream}: reading object graphs with the stock stream, with Offcut's agent,
 * with the guard that was proposed for JDK-8246633, and with JBoss Marshalling.
 *
 * <p>Every implementation runs in a JVM of its own, which says at the end whether it was what its
 * row is to say: agent there or not, guard there and in force or not. The guard has two rows, since
 * the first class loader that a program constructs ends it.
 */
public final class ObjectstreamSuite implements Suite {
  private static final String STOCK = "stock";
  private static final String OURS = "offcut-agent";
  private static final String GUARD = "guard-8246633";
  private static final String JBOSS = "jboss-river";

  private final Path guard =
      Path.of(System.getProperty("java.io.tmpdir"), "offcut-bench-" + UUID.randomUUID());

  @Override
  public String name() {
    return "objectstream";
  }

  @Override
  public List<Case> cases(boolean quick) {
    return List.of(
        graph("flat_100", "100 objects of 10 classes in an array", quick),
        graph("nest5_100", "100 objects of 10 classes in 5 ArrayLists, nested", quick),
        graph("nest20_100", "100 objects of 10 classes in 20 ArrayLists, nested", quick),
        graph("list_1000_integers", "an ArrayList of 1,000 Integers", quick));
  }

  private Case graph(String name, String what, boolean quick) {
    List<ChildRun> runs =
        Stream.of(STOCK, OURS, GUARD, GUARD + "-loader", JBOSS)
            .filter(impl -> !impl.equals(OURS) || Agent.retrofit() != null)
            .map(impl -> ChildRun.loop(impl, 1, ReadGraph.class, Map.of("graph", name)))
            .map(run -> run.jvm(jvm(run.impl())))
            .toList();
    String summary = "open a stream and read " + what;
    return Case.of(name, summary, Case.PER_OPERATION, quick, runs);
  }

  private List<String> jvm(String impl) {
    return switch (impl) {
      case OURS -> List.of("-Xmx256m", "-javaagent:" + Agent.retrofit());
      case STOCK, JBOSS -> List.of("-Xmx256m");
      default ->
          List.of(
              "-Xmx256m",
              "--patch-module=java.base=" + guard,
              "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED"); // to look at the flag
    };
  }

  @Override
  public List<String> leftOut() {
    return Agent.retrofit() != null ? List.of() : List.of(Agent.absence(OURS));
  }

  @Override
  public void prepare(List<Case> cases) throws IOException {
    GuardPatch.writeTo(guard);
    Agent.deleteAtExit(guard);
  }

  @Override
  public List<Bar> bars() {
    return List.of(
        new Place("flat_100", "cpu_ns_per_op").ratio(0.50, OURS, STOCK),
        new Place("nest5_100", "cpu_ns_per_op").ratio(0.70, OURS, STOCK),
        new Place("nest20_100", "cpu_ns_per_op").ratio(0.35, OURS, STOCK),
        new Place("list_1000_integers", "cpu_ns_per_op").ratio(1.02, OURS, STOCK));
  }

  @Override
  public String version(String impl) {
    return impl.equals(JBOSS)
        ? Versions.of("org.jboss.marshalling", "jboss-marshalling")
        : Suite.super.version(impl);
  }
}
