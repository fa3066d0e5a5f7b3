package dev.offcut.command.read;

import static dev.offcut.command.read.Figures.count;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * What holds the open resources of a program: each of them at its shortest path from a thread, a
 * static field or native code.
 *
 * @param problem why that is not known, a sentence; empty if it is
 * @param held of each kind the ways in which they are held
 */
public record Holders(String problem, List<Held> held) {
  /**
   * Of other kinds the objects cannot be found in a heap, or nothing says whether they are open.
   */
  private static final Set<String> LOOKED_FOR =
      Set.of("buffer.direct", "arena.confined", "arena.shared");

  private static final int MOST_WAYS = 3;

  /**
   * Open objects of a kind that are held in one way.
   *
   * @param kind as the digest has it
   * @param by the path from a root, to stand behind "held by"
   */
  public record Held(String kind, long count, String by) {
    public Held with(UnaryOperator<String> sentences) {
      return new Held(kind, count, sentences.apply(by));
    }
  }

  public static Holders of(List<Held> all) {
    return new Holders("", List.copyOf(all));
  }

  /** It is not known. {@code problem}: a sentence. */
  public static Holders none(String problem) {
    return new Holders(problem, List.of());
  }

  /** It is not known, though it was asked for. {@code reason}: without a full stop. */
  public static Holders leftOut(String reason) {
    return none("--holders is left out: " + reason + ".");
  }

  public boolean isKnown() {
    return problem.isEmpty();
  }

  /**
   * In words what of a program nobody counts by a rule, so that a dump does not show which objects
   * are open.
   */
  public static List<String> uncountedByRule(Digest program) {
    if (!program.coverage().byRule()) {
      return List.of(Kinds.BY_RULE);
    }
    List<String> classes =
        program.watchedClasses().stream()
            .filter(one -> !one.isCounted() && !one.state().equals("not loaded"))
            .map(Digest.WatchedClass::type)
            .toList();
    if (classes.size() <= MOST_WAYS) {
      return classes;
    }
    List<String> most = new ArrayList<>(classes.subList(0, MOST_WAYS));
    most.add(count(classes.size() - MOST_WAYS) + " more of rules");
    return most;
  }

  /**
   * Where nothing that is counted is open, so that no heap is dumped: none, or a sentence about
   * what nobody counts.
   */
  public static Holders ofNothingOpen(Digest program) {
    List<String> uncounted = new ArrayList<>(program.coverage().inHeaps());
    uncounted.addAll(uncountedByRule(program));
    return uncounted.isEmpty()
        ? of(List.of())
        : none(
            "Nothing that is counted was open, so no heap was dumped. Nobody counted "
                + Figures.joined(uncounted)
                + ": whether any of these are open is not known.");
  }

  public static boolean isLookedFor(String kind) {
    return LOOKED_FOR.contains(kind) || Kinds.isCloseable(kind);
  }

  /** The ways in which objects of a kind are held, those that hold most first. */
  public List<Held> of(String kind) {
    return held.stream()
        .filter(one -> one.kind().equals(kind))
        .sorted(Comparator.comparingLong(Held::count).reversed())
        .toList();
  }

  public Holders with(UnaryOperator<String> sentences) {
    return new Holders(
        sentences.apply(problem), held.stream().map(one -> one.with(sentences)).toList());
  }

  public static long sum(List<Held> ways) {
    return ways.stream().mapToLong(Held::count).sum();
  }
}
