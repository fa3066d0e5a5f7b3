package dev.offcut.command.judge;

import dev.offcut.command.read.Courses;
import dev.offcut.command.read.Digest;
import dev.offcut.command.read.GrowthRates;
import dev.offcut.command.read.JvmCause;
import dev.offcut.command.read.Kinds;
import dev.offcut.command.read.NativeCallers;
import dev.offcut.command.read.NativeCallers.Place;
import dev.offcut.rules.Rule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Memory of which nothing says who has it, and the objects that most likely do: of classes that
 * rules name, since their bytes are not known. Objects that are lost come before objects that are
 * open; of these, many before few. One kind gets the whole, and the sentence names the others: what
 * each has is not known.
 */
final class Unclaimed {
  /** Fewer that are open are the parts of one program: its database, its cache. */
  private static final long FEWEST_OPEN = 10;

  /** As FEWEST_OPEN, of objects that hold other resources than memory of malloc. */
  private static final long MANY_OPEN = 100;

  /** Fewer that did not end do not tell when memory came; fewer that are lost tell little. */
  private static final long FEWEST_LOST = 10;

  /** Memory comes with objects if the shares of their rises are never further apart. */
  private static final double IN_STEP = 0.3;

  /** Fewer points of a line, one a second, do not tell. */
  private static final int FEWEST_POINTS = 3;

  /** The library of the JDK's own classes, in rules. */
  private static final String JDK = "the JDK";

  private static final String INFLATER = "java.util.zip.Inflater";

  /** What an Inflater holds at most: a window, and tables. */
  private static final long MOST_OF_INFLATER = 50 << 10;

  /** What another object of the JDK holds at most: a Deflater. */
  private static final long MOST_OF_JDK = 300 << 10;

  /** One part in so many: objects that can hold less of the memory are not named. */
  private static final long LEAST_SHARE = 20;

  /** Sources that are told of only if no kind has them. */
  static final String FILES = "files";

  static final String KEPT = "kept";

  /** How many native functions a sentence names. */
  private static final int MOST_FUNCTIONS = 2;

  /** What memory it is. */
  enum Source {
    MALLOC,
    ALLOCATOR,
    /** Counted as another kind. */
    KIND,
    /** Counted as another kind, and in the pool of a library. */
    POOL,
    /** The same, where it is known how much of the pool is in objects. */
    POOL_IN_USE,
    FILES,
    /** Blocks that were sampled. */
    SAMPLED
  }

  /**
   * Objects of a class.
   *
   * @param isLost whether they are lost; otherwise some of them may be open
   */
  record Many(Digest.Closeable rule, long number, boolean isLost) {}

  /**
   * What a kind most likely has.
   *
   * @param name of the allocator, or the kind in words
   * @param used so many bytes of a pool are in objects
   * @param kept of so many
   * @param others who else may have it
   * @param files that are mapped
   * @param functions that took it
   */
  record Share(
      Source source,
      String name,
      long bytes,
      long margin,
      long used,
      long kept,
      List<Many> others,
      List<Evidence.File> files,
      List<NativeCallers.Function> functions) {
    /** With other names of files. */
    Share with(UnaryOperator<String> names) {
      return new Share(
          source, names.apply(name), bytes, margin, used, kept, others, files, functions);
    }

    /** One of which the bytes alone are known. */
    static Share of(Source source, String name, long bytes) {
      return new Share(source, name, bytes, 0, 0, 0, List.of(), List.of(), List.of());
    }

    private Share with(List<Many> known) {
      return new Share(source, name, bytes, margin, used, kept, known, files, functions);
    }
  }

  /**
   * Memory of which nothing says who has it.
   *
   * @param pool the package of the library whose pool it is, with its dot; empty if it is none
   */
  private record Memory(String id, String pool, Share share) {}

  /** What only the collector's threads freed, the most at one time, and how. */
  record Late(long bytes, Evidence.FreedLate freed) {
    /** {@code atOnce}: the share of the objects that were there at one time. */
    private Late(NativeCallers callers, List<NativeCallers.Line> lines, double atOnce, long most) {
      this(
          Math.min(
              most,
              lines.stream()
                  .mapToLong(
                      line ->
                          Math.min(
                              line.late(), // at its peak it may have had what the program freed
                              Math.max(callers.peak(line), Math.round(atOnce * line.late()))))
                  .sum()),
          Evidence.FreedLate.of(
              new NativeCallers.Line(
                  "", lines.stream().flatMap(line -> line.places().stream()).toList())));
    }
  }

  private final List<Memory> sources = new ArrayList<>();
  private final Map<String, Share> shares = new HashMap<>();
  private final Map<String, Digest.Growth> rises = new HashMap<>();
  private final Map<String, Late> freedLate = new HashMap<>();
  private final Map<String, List<Many>> suspects = new HashMap<>();
  private final Set<String> taken = new HashSet<>();

  /** The memory that the objects of a kind most likely have. */
  private final Map<String, List<Place>> places = new HashMap<>();

  /** Places of malloc of which a share tells. */
  private final Set<Place> told = new HashSet<>();

  /** What was sampled; null: nothing was. */
  private @Nullable NativeCallers sampled;

  private final boolean byRule;
  private String keptBy = "";
  private long kept;

  /** {@code byRule}: whether objects of classes that rules name are counted. */
  Unclaimed(boolean byRule) {
    this.byRule = byRule;
  }

  /** What to do, and what to try before, unless it was done. */
  List<Advice> advice(Advice last) {
    return byRule ? List.of(last) : List.of(Advice.RULES, last);
  }

  /** Likewise, about memory of malloc. */
  List<Advice> mallocAdvice(Advice last) {
    List<Advice> all = new ArrayList<>(advice(last));
    if (sampled == null) {
      all.add(all.size() - 1, Advice.NATIVE);
    }
    return all;
  }

  private void add(Source source, String id, String name, long bytes) {
    add(source, id, name, "", bytes, 0, 0);
  }

  private void add(
      Source source, String id, String name, String pool, long bytes, long used, long kept) {
    sources.add(
        new Memory(
            id,
            pool,
            new Share(source, name, bytes, 0, used, kept, List.of(), List.of(), List.of())));
  }

  /** Memory of malloc. */
  void malloc(long bytes) {
    add(Source.MALLOC, Rule.MALLOC, "", bytes);
  }

  /** Memory of another allocator. */
  void allocator(String name, long bytes) {
    add(Source.ALLOCATOR, name, name, bytes);
  }

  /** Memory that is counted as another kind, at the lines of the library. */
  void kind(Digest.Kind kind) {
    add(Source.KIND, kind.kind(), Kinds.words(kind.kind(), kind.open()), held(kind));
  }

  /**
   * Memory of another kind that objects have which were opened at the same line, about as many.
   *
   * @param most of the places of the kind, the one with most
   */
  void ofObjects(Facts facts, Digest.Kind kind, Digest.Site most) {
    String line = most.at().own();
    String owner =
        facts.sites().stream()
            .filter(site -> !site.frames().isEmpty() && site.at().own().equals(line))
            .filter(
                site ->
                    facts.closeables().stream()
                        .anyMatch(one -> Takers.isOfMalloc(one, site.kind())))
            .filter(site -> site.lost() + site.open() >= Math.max(FEWEST_OPEN, most.open() / 2))
            .filter(site -> site.lost() + site.open() <= 2 * most.open())
            .max(Comparator.comparingLong(site -> site.lost() + site.open()))
            .map(Digest.Site::kind)
            .orElse("");
    if (!owner.isEmpty() && !shares.containsKey(owner)) {
      String name = Kinds.words(kind.kind(), kind.open());
      shares.put(owner, Share.of(Source.KIND, name, held(kind)));
      tell(kind.kind());
    }
  }

  /** Memory of another kind that the pool of a library has. {@code library}: its package. */
  void pool(Digest.Kind kind, String library) {
    String name = Kinds.words(kind.kind(), kind.open());
    add(Source.POOL, kind.kind(), name, library, held(kind), 0, 0);
  }

  /**
   * The same, where it is known how much of the pool is in objects.
   *
   * @param used so many bytes
   * @param kept of so many
   * @param isLost whether some of them are lost: for them the pool keeps it all
   */
  void pool(Digest.Kind kind, String library, long used, long kept, boolean isLost) {
    add(Source.POOL_IN_USE, kind.kind(), "", library, isLost ? kept : used, used, kept);
  }

  /** A finding tells of a kind, so that none is needed about the objects that have it. */
  void tell(String kind) {
    taken.add(kind);
  }

  private static long held(Digest.Kind kind) {
    return kind.bytes() + kind.lostBytes();
  }

  /**
   * Mapped files: lost arenas without bytes of their own most likely have them.
   *
   * @param largest of the files
   */
  void files(long bytes, List<Evidence.File> largest, List<Digest.Kind> kinds) {
    kinds.stream()
        .filter(kind -> kind.kind().startsWith("arena.") && kind.lost() > 0)
        .filter(kind -> kind.lostBytes() == 0)
        .max(Comparator.comparingLong(Digest.Kind::lost))
        .ifPresent(
            kind -> {
              taken.add(FILES);
              shares.put(
                  kind.kind(),
                  new Share(Source.FILES, "", bytes, 0, 0, 0, List.of(), largest, List.of()));
            });
  }

  /** Free memory that malloc keeps: most likely it is that of a kind that was freed late. */
  void kept(String kind, long bytes) {
    keptBy = kind;
    kept = bytes;
    taken.add(KEPT);
  }

  /** How much malloc keeps of what objects of a kind had; 0 if that is not known. */
  long keptOf(String kind) {
    return kind.equals(keptBy) ? kept : 0;
  }

  /**
   * Blocks that were sampled: an object has those that were taken in a call of its class, at the
   * line that opened it, or, through the same library, in the same method. Objects that are lost
   * come first. Other blocks have lines of their own.
   *
   * @param courses how many of each site had not ended over time
   */
  void sampled(Facts facts, NativeCallers callers, List<Courses.Course> courses) {
    sampled = callers;
    List<Digest.Closeable> owners = worstFirst(facts);
    for (Digest.Closeable one : owners) {
      String type = Takers.type(one);
      boolean isLost = facts.lost(one.kind()) > 0;
      List<Digest.Site> opened =
          Takers.sites(one.kind(), facts.sites(), isLost ? Digest.Site::lost : Digest.Site::open);
      List<Place> its =
          untold(callers).stream()
              .filter(
                  place ->
                      Takers.isOf(place, type)
                          || (Takers.isNear(place, opened) && !Takers.isOfAny(place, owners)))
              .toList();
      Digest.Growth rise =
          isLost || its.isEmpty() ? null : NativeFindings.growth(facts, callers, its);
      if (isLost || rise != null || facts.isMuch(bytesOf(its))) {
        told.addAll(its);
        places.put(one.kind(), its);
        if (bytesOf(its) > 0) {
          shares.put(one.kind(), share(callers, its));
        }
        if (rise != null) {
          rises.put(one.kind(), rise);
        }
      }
    }
    for (Digest.Closeable one : owners) {
      if (Takers.isOfMalloc(one) || facts.lost(one.kind()) >= FEWEST_LOST) {
        inStep(facts, callers, one.kind(), courses);
      }
    }
  }

  /**
   * Objects also have the memory that their code source took at other lines in step with them: a
   * cache is opened at one line and filled at another. Of a run that is too short to tell, they
   * have it if no other objects of that source are left.
   */
  private void inStep(
      Facts facts, NativeCallers callers, String kind, List<Courses.Course> courses) {
    for (int i = 0; i < facts.sites().size(); i++) {
      Digest.Site site = facts.sites().get(i);
      boolean areFew = site.lost() + site.open() < FEWEST_LOST;
      if (!site.kind().equals(kind) || areFew || site.through().isEmpty()) {
        continue;
      }
      List<GrowthRates.Point> opened = courses.get(i).points();
      String source = site.through().getFirst();
      List<Place> its = new ArrayList<>(places.getOrDefault(kind, List.of()));
      for (NativeCallers.Line line : NativeCallers.lines(untold(callers))) {
        List<GrowthRates.Point> taken = callers.series(line.places());
        boolean areTheirs =
            taken.size() < FEWEST_POINTS
                ? Takers.isOnly(site, facts)
                : GrowthRates.isInStep(opened, taken, IN_STEP);
        if (areTheirs
            && line.places().stream().allMatch(place -> Takers.isThrough(place, source))) {
          its.addAll(line.places());
        }
      }
      places.put(kind, its);
      told.addAll(its);
      if (bytesOf(its) > 0) {
        shares.put(kind, share(callers, its));
      }
    }
  }

  private List<Place> untold(NativeCallers callers) {
    return Stream.concat(callers.places().stream(), callers.mapped().stream())
        .filter(place -> !told.contains(place))
        .filter(place -> JvmCause.of(place.function()) == null) // its tables are nobody else's
        .toList();
  }

  /**
   * Blocks that only the collector's threads freed: objects that were left to them most likely had
   * those that were taken in a call of their class, or in the method that opened them.
   *
   * @param courses how many of each site had not ended over time
   */
  void late(Facts facts, NativeCallers callers, List<Courses.Course> courses) {
    List<NativeCallers.Line> left =
        new ArrayList<>(
            NativeCallers.lines(callers.places()).stream()
                .filter(NativeCallers.Line::isLeftToCollector)
                .toList());
    facts.kinds().stream()
        .filter(kind -> kind.collected() > 0)
        .filter(
            kind ->
                kind.kind().equals(Kinds.CLEANER)
                    || facts.closeables().stream()
                        .anyMatch(one -> Takers.isOfMalloc(one, kind.kind())))
        .sorted( // a class says more than that its objects have a cleaner
            Comparator.comparing((Digest.Kind kind) -> kind.kind().equals(Kinds.CLEANER))
                .thenComparing(Digest.Kind::collected, Comparator.reverseOrder()))
        .forEach(
            kind -> {
              String type =
                  Kinds.isCloseable(kind.kind())
                      ? kind.kind().substring(Kinds.CLOSEABLE.length())
                      : kind.kind();
              List<Digest.Site> opened =
                  Takers.sites(kind.kind(), facts.sites(), Digest.Site::collected);
              List<NativeCallers.Line> its =
                  left.stream()
                      .filter(
                          line ->
                              line.places().stream()
                                  .anyMatch(
                                      place ->
                                          Takers.isOf(place, type) || Takers.isNear(place, opened)))
                      .toList();
              Late all =
                  new Late(
                      callers,
                      its,
                      Takers.atOnce(kind, facts.sites(), courses),
                      facts.timeline().residentRise());
              if (facts.isMuch(all.bytes())) {
                left.removeAll(its);
                its.forEach(line -> told.addAll(line.places()));
                freedLate.put(kind.kind(), all);
              }
            });
  }

  /** How fast rises what objects of a kind have; null: it does not, or is not known. */
  Digest.@Nullable Growth riseOf(String kind) {
    return rises.get(kind);
  }

  /** What objects of a kind had that only the collector's threads freed; null: not much. */
  @Nullable Late lateOf(String kind) {
    return freedLate.get(kind);
  }

  private static long bytesOf(List<Place> places) {
    return places.stream().mapToLong(Place::bytes).sum();
  }

  /**
   * Objects that are lost, or open and many; of those that have memory of malloc few will do. What
   * a rule tells of comes before what only a class's form does, which may be a part of it.
   */
  private static List<Digest.Closeable> worstFirst(Facts facts) {
    return facts.closeables().stream()
        .filter(
            one ->
                facts.lost(one.kind()) > 0
                    || facts.held(one.kind()) >= (Takers.isOfMalloc(one) ? FEWEST_OPEN : MANY_OPEN))
        .sorted(
            Comparator.comparing(
                    (Digest.Closeable one) ->
                        facts.lost(one.kind()) < FEWEST_LOST || Kinds.isByShape(one))
                .thenComparing(
                    Comparator.comparingLong((Digest.Closeable one) -> facts.lost(one.kind()))
                        .thenComparingLong(one -> facts.held(one.kind()))
                        .reversed()))
        .toList();
  }

  private static Share share(NativeCallers callers, List<Place> its) {
    return new Share(
        Source.SAMPLED,
        its.stream().anyMatch(callers.mapped()::contains) ? "native" : "malloc",
        bytesOf(its),
        NativeCallers.margin(its, callers.interval()),
        0,
        0,
        List.of(),
        List.of(),
        NativeCallers.functions(its, MOST_FUNCTIONS));
  }

  /** Whether a finding about objects tells of blocks that were sampled. */
  boolean isTold(Place place) {
    return told.contains(place);
  }

  /** Finds out who most likely has what. */
  void divide(Facts facts) {
    for (Memory source : sources) {
      String owner = divide(source, facts);
      facts.memory().growing().stream()
          .filter(growth -> growth.part().equals(source.id()))
          .forEach(growth -> rises.putIfAbsent(owner, growth));
    }
  }

  /** Who may have memory of a source. An allocator is that of the library with its name. */
  private Predicate<Digest.Closeable> uses(Memory source) {
    if (!source.pool().isEmpty()) {
      return one ->
          one.holds().equals(Rule.POOL) && one.kind().startsWith(Kinds.CLOSEABLE + source.pool());
    }
    return one ->
        one.holds().equals(source.id())
            || (one.holds().equals(Rule.MALLOC)
                && source.id().contains(one.library().toLowerCase(Locale.ROOT)));
  }

  /** The kind that most likely has it; empty if none is known. */
  private String divide(Memory source, Facts facts) {
    List<Digest.Closeable> held =
        facts.closeables().stream()
            .filter(uses(source))
            .filter(one -> facts.held(one.kind()) > 0 && !shares.containsKey(one.kind()))
            .filter(one -> mayHold(one, facts.held(one.kind()), source.share().bytes()))
            .sorted(
                Comparator.comparingLong((Digest.Closeable one) -> facts.lost(one.kind()))
                    .thenComparingLong(one -> facts.held(one.kind()))
                    .reversed())
            .toList();
    if (held.isEmpty()) {
      return "";
    }
    String first = held.getFirst().kind();
    if (facts.lost(first) > 0 || facts.held(first) >= FEWEST_OPEN) {
      shares.put(first, source.share().with(many(held.subList(1, held.size()), facts)));
      taken.add(source.id());
      return first;
    }
    suspects.put(source.id(), many(held, facts));
    return "";
  }

  /** Whether so many objects can hold a part of the memory that is worth a word. */
  private static boolean mayHold(Digest.Closeable one, long count, long bytes) {
    long most = one.kind().endsWith(INFLATER) ? MOST_OF_INFLATER : MOST_OF_JDK;
    return !one.library().equals(JDK) || count * most >= bytes / LEAST_SHARE;
  }

  private static List<Many> many(List<Digest.Closeable> some, Facts facts) {
    return some.stream()
        .map(
            one -> {
              long lost = facts.lost(one.kind());
              return new Many(one, lost > 0 ? lost : facts.held(one.kind()), lost > 0);
            })
        .toList();
  }

  /** What a kind most likely has; null if that is nothing, or not known. */
  @Nullable Share of(String kind) {
    return shares.get(kind);
  }

  /**
   * What those of a kind most likely have that were opened at a line.
   *
   * @param lines all that open any, of which each has what it took itself
   */
  @Nullable Share of(String kind, String line, List<String> lines) {
    NativeCallers callers = sampled;
    Share all = shares.get(kind);
    if (callers == null || all == null || all.source() != Source.SAMPLED) {
      return all;
    }
    List<Place> its =
        places.getOrDefault(kind, List.of()).stream()
            .filter(place -> place.isAt(line) || !lines.contains(place.own()))
            .toList();
    return bytesOf(its) == 0 ? null : share(callers, its);
  }

  /** Whether a finding about objects tells of it, so that none is needed about the memory. */
  boolean isTold(String source) {
    return taken.contains(source);
  }

  /** Which few objects may have memory of a source; null if none is known. */
  @Nullable Evidence suspects(String source) {
    List<Many> all = suspects.get(source);
    return all == null ? null : new Evidence.Suspects(all);
  }
}
