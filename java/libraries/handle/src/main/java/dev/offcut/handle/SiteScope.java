package dev.offcut.handle;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The sites of one part of the program, such as a test: equal stacks of two scopes are two. */
abstract class SiteScope {
  private static volatile @Nullable
      Function<? super List<StackTraceElement>, ? extends @Nullable SiteScope>
      finder;

  /** What the names of classes begin with that call the parts of the program; empty: no name. */
  private static volatile String callers = "";

  private final ConcurrentHashMap<List<StackTraceElement>, Site> sites = new ConcurrentHashMap<>();

  static void use(
      @Nullable Function<? super List<StackTraceElement>, ? extends @Nullable SiteScope> with,
      String calledBy) {
    callers = calledBy;
    finder = with;
  }

  /** Whether a class calls the parts of the program: its frames tell nothing. */
  static boolean isCaller(Class<?> type) {
    String prefix = callers;
    return !prefix.isEmpty() && type.getName().startsWith(prefix);
  }

  /** The scope of an opening in progress with this stack; null if there is none. */
  static @Nullable SiteScope of(List<StackTraceElement> frames) {
    Function<? super List<StackTraceElement>, ? extends @Nullable SiteScope> with = finder;
    return with == null ? null : with.apply(frames);
  }

  /** Whether somebody tells openings apart. */
  static boolean isUsed() {
    return finder != null;
  }

  final Site site(List<StackTraceElement> frames) {
    Site known = sites.get(frames);
    if (known != null) {
      return known;
    }
    List<StackTraceElement> kept = sites.size() < Settings.MAX_SITES ? frames : Site.BEYOND.frames;
    Site site = new Site(kept, this);
    Site before = sites.putIfAbsent(kept, site);
    return before != null ? before : site;
  }

  final Collection<Site> sites() {
    return sites.values();
  }
}
