package dev.offcut.retrofit.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.AgentJvm;
import dev.offcut.test.ChildJvm;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Random graphs, class loaders, threads, and code that reads on in callbacks: in a JVM with an
 * agent that compares every answer, in a stock one and in one with the agent as it is. All three
 * read the same from the same seed, and nothing that was compared differs.
 *
 * <p>It plays {@code -Dgraphs.worlds=8} worlds, each in all three JVMs; or, with {@code
 * -Dstress.long=true}, 100 and 100 more for an hour. The seed is printed; with {@code
 * -Dtest.jvm.args=-Doffcut.seed=N} the same graphs come again.
 */
class RandomGraphTest {
  /** One after the other, until it is no chance any more. */
  private static final int RUNS_THAT_DIFFER = 3;

  private static final String WORLD = "world ";
  private static final String KEPT = "kept ";

  private static final boolean LONG = Boolean.getBoolean("stress.long");
  private static final int WORLDS = LONG ? 100 : Integer.getInteger("graphs.worlds", 8);

  private static final Predicate<String> NOTHING_SAVED =
      Pattern.compile("offcut: saved +0 ").asPredicate();

  @Test
  void randomGraphs_withTheAgent_readAsTheyDoWithout() throws Exception {
    long seed = Long.getLong("offcut.seed", System.nanoTime());
    long end = System.nanoTime() + 3600 * 1_000_000_000L;
    do {
      round(seed++);
    } while (LONG && System.nanoTime() - end < 0);
  }

  private static void round(long seed) throws Exception {
    System.out.println("RandomGraphTest: again with -Dtest.jvm.args=-Doffcut.seed=" + seed);
    ChildJvm.Output stock = first(AgentJvm.with(), seed, List.of());
    List<String> kept = kept(stock);
    ChildJvm.Output verified = first(AgentJvm.withAgent("verify=1,report=stderr"), seed, kept);
    assertThat(verified.said()).as("seed %s", seed).contains("offcut: mismatch none");
    assertThat(verified.said()).as("seed %s", seed).noneMatch(NOTHING_SAVED);
    assertThat(lines(verified, WORLD)).as("seed %s", seed).hasSize(WORLDS);
    ChildJvm.Output retrofitted = first(AgentJvm.withAgent(""), seed, kept);
    for (int i = 0; differ(seed, stock, verified) || differ(seed, stock, retrofitted); i++) {
      assertThat(i).as("runs that differed, seed %s", seed).isLessThan(RUNS_THAT_DIFFER);
      stock = first(AgentJvm.with(), seed, List.of());
      verified = first(AgentJvm.withAgent("verify=1"), seed, kept(stock));
      retrofitted = first(AgentJvm.withAgent(""), seed, kept(stock));
    }
  }

  /**
   * Whether something was read otherwise than by the stock JVM, or loaders were kept that it let
   * go. A world that reads otherwise by itself, too, fails here and now. Else it is chance, once:
   * in a few of a hundred runs a stock JVM asks a loader once more, or less, than in the run
   * before; and of the classes it generates for method handles it keeps some for good, with what
   * was behind the handle that happened to be the first.
   */
  private static boolean differ(long seed, ChildJvm.Output stock, ChildJvm.Output other)
      throws Exception {
    List<String> expected = lines(stock, WORLD);
    List<String> actual = lines(other, WORLD);
    for (String world : actual) {
      if (!expected.contains(world)) {
        show(seed, world.split(" ", 3)[1]);
      }
    }
    return !actual.equals(expected) || !lines(stock, KEPT).containsAll(lines(other, KEPT));
  }

  private static List<String> lines(ChildJvm.Output output, String beginning) {
    return output.out().stream().filter(line -> line.startsWith(beginning)).sorted().toList();
  }

  /** Fails with what is different in a world. */
  private static void show(long seed, String world) throws Exception {
    assertThat(run(AgentJvm.withAgent(""), seed, "show", world).out())
        .as("seed %s, world %s", seed, world)
        .isEqualTo(run(AgentJvm.with(), seed, "show", world).out());
  }

  /** The worlds that a JVM kept. */
  private static List<String> kept(ChildJvm.Output output) {
    return lines(output, KEPT).stream().map(line -> line.substring(KEPT.length())).toList();
  }

  /** Plays the first worlds; those that may be kept, nobody waits for. */
  private static ChildJvm.Output first(ChildJvm jvm, long seed, List<String> kept)
      throws Exception {
    List<Object> arguments = new ArrayList<>(List.of("first", WORLDS));
    arguments.addAll(kept);
    return run(jvm, seed, arguments.toArray());
  }

  private static ChildJvm.Output run(ChildJvm jvm, long seed, Object... arguments)
      throws Exception {
    return jvm.and("-Xmx512m", "-XX:SoftRefLRUPolicyMSPerMB=0")
        // Long enough for both compilers, and both must get it right.
        .and("-XX:TieredStopAtLevel=4")
        // Exceptions keep their texts, however often they are thrown.
        .and("-XX:-OmitStackTraceInFastThrow")
        // One hash for all objects: else the order of a set of enums is a matter of luck.
        .and("-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=2")
        // A virtual thread that waits within a callback may hold its carrier.
        .and("-Djdk.virtualThreadScheduler.parallelism=64")
        .classPath(AgentJvm.classes())
        .and(GraphProgram.class.getName(), seed)
        .and(arguments)
        .run();
  }
}
