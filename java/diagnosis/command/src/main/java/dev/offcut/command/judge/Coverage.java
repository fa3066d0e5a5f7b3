package dev.offcut.command.judge;

import dev.offcut.command.read.Closeables;
import dev.offcut.command.read.Digest;
import dev.offcut.command.read.NativeCallers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is counted in a program, and what is not. */
public final class Coverage {
  private static final String ARENAS = "arenas";
  private static final String BUFFERS = "direct buffers";

  /** Ends what is counted by rule, among what is counted. */
  private static final String TO_BE_CLOSED = " that the program must close";

  private static final String BLOCKS = "blocks of Unsafe and JNA";
  private static final String CLEANED = "objects with a Cleaner";
  private static final String LIBRARIES = "handles and pools of Offcut";

  private static final List<String> WATCHED = List.of(ARENAS, BUFFERS, BLOCKS, CLEANED, LIBRARIES);

  /** What the agent must have rewritten for each of these, in its words. */
  private static final Map<String, List<String>> PATCHED =
      Map.of(
          ARENAS,
          List.of("arenas"),
          BUFFERS,
          List.of("direct buffers"),
          BLOCKS,
          List.of("Unsafe", "JNA's Memory"),
          CLEANED,
          List.of("cleaners"));

  private static final String MALLOC = "malloc memory of native libraries";

  /** Accounts contain mapped files, but nobody counts who mapped them. */
  private static final String MAPPED = "buffers of mapped files (`FileChannel.map`)";

  /** What nobody counts in a program without the agent. */
  public static final List<String> UNWATCHED_WITHOUT_AGENT =
      List.of(
          ARENAS, BUFFERS, BLOCKS, CLEANED, MALLOC, MAPPED, "objects that the program must close");

  /** With the callers of malloc: what native libraries hold is known, by samples, but not more. */
  private static final List<String> UNSAMPLED =
      List.of("whether a native block is lost", "memory of allocators that native libraries bring");

  private static final int FIRST_WITH_ARENAS = 22;

  private Coverage() {}

  /**
   * What is counted, one by one.
   *
   * @param libraries those whose objects are counted by rule
   * @param patched what the agent rewrites; empty if it did not say
   */
  public static List<String> watched(
      List<String> libraries, List<String> patched, @Nullable NativeCallers callers) {
    List<String> all = new ArrayList<>(WATCHED);
    all.removeIf(one -> isLeftOut(one, patched));
    if (callers != null) {
      all.add(MALLOC + ", by samples");
    }
    if (!libraries.isEmpty()) {
      all.add("objects of " + listed(libraries) + TO_BE_CLOSED);
    }
    return all;
  }

  /** The same of a program without the agent: what Offcut's libraries count in it. */
  public static List<String> watchedByLibraries(
      List<Digest.Handles> handles, List<Digest.Pool> pools) {
    return handles.isEmpty() && pools.isEmpty() ? List.of() : List.of(LIBRARIES);
  }

  /** Whether all or a part of it was switched off, or is not tracked here. */
  private static boolean isLeftOut(String watched, List<String> patched) {
    return !patched.isEmpty() && !patched.containsAll(PATCHED.getOrDefault(watched, List.of()));
  }

  /**
   * What is counted by default and was not: switched off, or this JDK's classes are not as they are
   * known. Before JDK 22 there are no arenas, but as a preview.
   *
   * @param feature the version of the JDK; 0 if it is not known
   */
  public static List<String> untracked(List<String> patched, int feature) {
    return WATCHED.stream()
        .filter(one -> isLeftOut(one, patched))
        .filter(one -> !one.equals(ARENAS) || feature >= FIRST_WITH_ARENAS)
        .map(one -> one + " are not tracked in this program")
        .toList();
  }

  /** Whether objects of classes that rules name are among what is counted. */
  public static boolean isByRule(List<String> watched) {
    return watched.stream().anyMatch(one -> one.endsWith(TO_BE_CLOSED));
  }

  /** Of what a heap dump shows, what nobody counts. */
  public static List<String> inHeaps(List<String> unwatched) {
    return unwatched.stream()
        .filter(one -> one.startsWith(ARENAS) || one.startsWith(BUFFERS))
        .toList();
  }

  private static String listed(List<String> names) {
    return names.size() == 1
        ? names.getFirst()
        : String.join(", ", names.subList(0, names.size() - 1)) + " and " + names.getLast();
  }

  /** What nobody counts. {@code rules}: which of them the agent used; {@code patched}: as above. */
  public static List<String> unwatched(
      Closeables classes, String rules, List<String> patched, @Nullable NativeCallers callers) {
    List<String> all = new ArrayList<>();
    for (String one : WATCHED) {
      if (isLeftOut(one, patched)) {
        all.add(one + " (switched off, or not tracked on this JDK)");
      }
    }
    if (callers != null) {
      all.addAll(UNSAMPLED);
    } else {
      all.add(MALLOC);
    }
    all.add(MAPPED);
    boolean byDefault = rules.equals("default") || rules.equals("file");
    if (byDefault) {
      all.add(
          "objects of the classes "
              + listed(Closeables.onRequest())
              + " (`--rules on` counts them, too)");
    }
    boolean on = classes.isOn() || byDefault || rules.equals("on");
    all.add(
        on
            ? "objects of other classes that the program must close, also of these libraries"
                + " (`--watch CLASS` tracks a class, `offcut rules` lists the rules)"
            : "objects that the program must close and that have no Cleaner");
    return all;
  }
}
