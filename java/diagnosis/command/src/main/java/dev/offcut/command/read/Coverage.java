package dev.offcut.command.read;

import dev.offcut.rules.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is counted in a program, and what is not.
 *
 * @param watched what is counted, one by one, in words
 * @param unwatched what nobody counts, so that its loss is in no finding, in words
 * @param inHeaps of the unwatched, what a heap dump shows
 * @param byRule whether objects of classes that rules name are counted
 */
public record Coverage(
    List<String> watched, List<String> unwatched, List<String> inHeaps, boolean byRule) {
  private static final String ARENAS = "arenas";
  private static final String BUFFERS = "direct buffers";

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
  private static final List<String> UNWATCHED_WITHOUT_AGENT =
      List.of(
          ARENAS, BUFFERS, BLOCKS, CLEANED, MALLOC, MAPPED, "objects that the program must close");

  /** With the callers of malloc: what native libraries hold is known, by samples, but not more. */
  private static final List<String> UNSAMPLED =
      List.of("whether a native block is lost", "what native libraries' own allocators keep free");

  private static final int FIRST_WITH_ARENAS = 22;

  /** What is watched where nothing says otherwise; for a sentence. */
  public String allWatched() {
    return Figures.joined(watched);
  }

  /** What nobody watches, so that its loss is in no finding; for a sentence. */
  public String allUnwatched() {
    return Figures.joined(unwatched);
  }

  /**
   * Of a program with the agent.
   *
   * @param classes that rules name
   * @param refuted whether the agent counted objects of these wrongly
   * @param rules which of them the agent used
   * @param patched what the agent rewrites; empty if it did not say
   */
  static Coverage of(
      Closeables classes,
      boolean refuted,
      String rules,
      List<String> patched,
      @Nullable NativeCallers callers) {
    List<String> libraries = refuted ? List.of() : classes.libraries();
    return new Coverage(
        watched(libraries, patched, callers),
        unwatched(classes, refuted, rules, patched, callers),
        Stream.of(ARENAS, BUFFERS)
            .filter(one -> isLeftOut(one, patched))
            .map(Coverage::leftOut)
            .toList(),
        !libraries.isEmpty());
  }

  /** Of a program without the agent: Offcut's libraries count in it. */
  static Coverage ofLibraries(List<Digest.Handles> handles, List<Digest.Pool> pools) {
    return new Coverage(
        handles.isEmpty() && pools.isEmpty() ? List.of() : List.of(LIBRARIES),
        UNWATCHED_WITHOUT_AGENT,
        List.of(ARENAS, BUFFERS),
        false);
  }

  static Coverage ofGo(
      List<String> packages, List<Digest.Handles> handles, List<Digest.Pool> pools) {
    return new Coverage(
        GoTexts.watched(packages, handles, pools), GoTexts.unwatched(packages), List.of(), false);
  }

  private static List<String> watched(
      List<String> libraries, List<String> patched, @Nullable NativeCallers callers) {
    List<String> all = new ArrayList<>(WATCHED);
    all.removeIf(one -> isLeftOut(one, patched));
    if (callers != null) {
      all.add(MALLOC + ", by samples");
    }
    if (!libraries.isEmpty()) {
      all.add("objects of " + listed(libraries) + " that the program must close");
    }
    return all;
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
  static List<String> untracked(List<String> patched, int feature) {
    return WATCHED.stream()
        .filter(one -> isLeftOut(one, patched))
        .filter(one -> !one.equals(ARENAS) || feature >= FIRST_WITH_ARENAS)
        .map(one -> one + " are not tracked in this program")
        .toList();
  }

  private static String leftOut(String one) {
    return one + " (switched off, or not tracked on this JDK)";
  }

  private static String listed(List<String> names) {
    return names.size() == 1
        ? names.getFirst()
        : String.join(", ", names.subList(0, names.size() - 1)) + " and " + names.getLast();
  }

  private static List<String> unwatched(
      Closeables classes,
      boolean refuted,
      String rules,
      List<String> patched,
      @Nullable NativeCallers callers) {
    List<String> all = new ArrayList<>();
    for (String one : WATCHED) {
      if (isLeftOut(one, patched)) {
        all.add(leftOut(one));
      }
    }
    if (callers != null) {
      all.addAll(UNSAMPLED);
    } else {
      all.add(MALLOC);
    }
    if (refuted || !classes.counts(Rule.MAPPING)) {
      all.add(MAPPED);
    }
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
