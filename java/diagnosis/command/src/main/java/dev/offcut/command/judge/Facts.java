package dev.offcut.command.judge;

import dev.offcut.command.judge.Evidence.Opened;
import dev.offcut.command.judge.Evidence.Unplaced;
import dev.offcut.command.read.Accounts;
import dev.offcut.command.read.CallSite;
import dev.offcut.command.read.Digest;
import dev.offcut.command.read.GrowthRates;
import dev.offcut.command.read.NativeCallers;
import dev.offcut.command.read.Timeline;
import dev.offcut.resident.Part;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a program, for rules to judge.
 *
 * @param complete whether no more sites will come
 * @param accounts null if nobody looked at its memory
 * @param callers of malloc; null if they are not known
 * @param timeline figures over time
 */
public record Facts(
    Digest.Target target,
    boolean complete,
    Digest.Memory memory,
    List<Digest.Kind> kinds,
    List<Digest.Closeable> closeables,
    List<Digest.Site> sites,
    List<Digest.Filled> filled,
    List<Digest.Pool> pools,
    List<Digest.BufferPool> bufferPools,
    @Nullable Accounts accounts,
    @Nullable NativeCallers callers,
    Timeline timeline) {
  /** Less is no finding, unless it grows; docs/design/run.md says why. */
  static final long LEAST = 16L << 20;

  /** Less than one part in so many of what is resident is none either. */
  static final int SHARE = 10;

  boolean isMuch(long bytes) {
    return bytes >= LEAST && bytes >= memory.resident() / SHARE;
  }

  boolean isGrowing(Part part) {
    return isGrowing(part.title());
  }

  boolean isGrowing(String part) {
    return memory.growing().stream().anyMatch(growth -> growth.part().equals(part));
  }

  Digest.@Nullable Kind kind(String name) {
    return kinds.stream().filter(kind -> kind.kind().equals(name)).findFirst().orElse(null);
  }

  /** How many of a kind are lost; 0 if there is none. */
  long lost(String name) {
    Digest.Kind kind = kind(name);
    return kind == null ? 0 : kind.lost();
  }

  /** How many of a kind are lost or open; 0 if there is none. */
  long held(String name) {
    Digest.Kind kind = kind(name);
    return kind == null ? 0 : kind.lost() + kind.open();
  }

  /** What a rule says of a kind; null if it is no class. */
  Digest.@Nullable Closeable rule(String kind) {
    return closeables.stream().filter(one -> one.kind().equals(kind)).findFirst().orElse(null);
  }

  /** The site of a kind with the most; null if none has any. */
  @Nullable Integer worst(String kind, ToLongFunction<Digest.Site> figure) {
    return worst(site -> site.kind().equals(kind), figure);
  }

  /** The same of some sites. */
  @Nullable Integer worst(Predicate<Digest.Site> some, ToLongFunction<Digest.Site> figure) {
    Integer worst = null;
    long most = 0;
    for (int i = 0; i < sites.size(); i++) {
      long value = figure.applyAsLong(sites.get(i));
      if (value > most && !sites.get(i).frames().isEmpty() && some.test(sites.get(i))) {
        worst = i;
        most = value;
      }
    }
    return worst;
  }

  private long others(String kind, ToLongFunction<Digest.Site> figure) {
    return sites.stream()
            .filter(one -> one.kind().equals(kind) && figure.applyAsLong(one) > 0)
            .count()
        - 1;
  }

  /** Where most objects of a kind were opened; {@code all}: there are so many. */
  Evidence opened(
      String kind,
      @Nullable Integer site,
      ToLongFunction<Digest.Site> figure,
      ToLongFunction<Digest.Margins> margin,
      long all) {
    if (site == null) {
      if (sites.isEmpty() && !complete && !target.level().equals("count")) {
        return Unplaced.SOON;
      }
      return switch (target.level()) {
        case "sample" -> Unplaced.NOT_SAMPLED;
        case "full" -> Unplaced.NOT_RECORDED;
        default -> Unplaced.NOT_ASKED;
      };
    }
    Digest.Site worst = sites.get(site);
    return new Opened(
        worst.at(),
        figure.applyAsLong(worst),
        worst.margins() == null ? 0 : margin.applyAsLong(worst.margins()),
        all,
        others(kind, figure),
        worst.exact(),
        false);
  }

  /** Where most of the bytes that are held, or lost, were opened; and where they were filled. */
  List<Evidence> openedBytes(Digest.Kind kind, @Nullable Integer site, boolean isLost) {
    ToLongFunction<Digest.Site> figure = isLost ? Digest.Site::lostBytes : Digest.Site::bytes;
    long others = others(kind.kind(), figure);
    if (site == null || others <= 0 || !sites.get(site).tellsBytes()) {
      Evidence opened =
          isLost
              ? opened(kind.kind(), site, Digest.Site::lost, Digest.Margins::lost, kind.lost())
              : opened(kind.kind(), site, Digest.Site::open, Digest.Margins::open, kind.open());
      Evidence filled = filled(kind, site, isLost);
      return filled == null ? List.of(opened) : List.of(opened, filled);
    }
    Digest.Site worst = sites.get(site);
    Digest.Margins margins = worst.margins();
    return List.of(
        new Opened(
            worst.at(),
            figure.applyAsLong(worst),
            margins == null ? 0 : isLost ? margins.lostBytes() : margins.bytes(),
            isLost ? kind.lostBytes() : kind.bytes(),
            others,
            worst.exact(),
            true));
  }

  /** Where most of their memory was allocated, if that is not the line that opened them. */
  private @Nullable Evidence filled(Digest.Kind kind, @Nullable Integer site, boolean isLost) {
    ToLongFunction<Digest.Filled> figure = isLost ? Digest.Filled::lostBytes : Digest.Filled::bytes;
    Digest.Filled most =
        filled.stream()
            .filter(one -> one.kind().equals(kind.kind()) && !one.frames().isEmpty())
            .max(Comparator.comparingLong(figure))
            .orElse(null);
    if (most == null || figure.applyAsLong(most) == 0) {
      return null;
    }
    CallSite at = most.at();
    return site != null && at.own().equals(sites.get(site).at().own())
        ? null
        : new Evidence.Filled(
            at,
            figure.applyAsLong(most),
            isLost ? most.lostMargin() : most.margin(),
            isLost ? kind.lostBytes() : kind.bytes());
  }

  /** Where more than half of a kind were opened; not known if no place has that. */
  CallSite mostOf(Digest.Kind kind) {
    return sites.stream()
        .filter(site -> site.kind().equals(kind.kind()) && !site.frames().isEmpty())
        .filter(site -> site.opened() > kind.opened() / 2)
        .findFirst()
        .map(site -> site.at())
        .orElse(CallSite.UNKNOWN);
  }

  /** A kind that may have to do with a finding. */
  Evidence related(Evidence.Related.Why why, Digest.Kind kind, long number) {
    return new Evidence.Related(why, kind.kind(), number, mostOf(kind), kind.opened() == 1);
  }

  /** Until when there is room, of what rises; null if there is no limit. */
  Evidence.@Nullable Until until(Digest.Growth growth) {
    Long limit = memory.containerLimit();
    return limit == null || limit <= memory.resident()
        ? null
        : new Evidence.Until(
            limit, 60 * (double) (limit - memory.resident()) / (double) growth.rate());
  }

  /** By how many bytes some parts rose between the first account and the last. */
  long rise(List<Part> parts) {
    return accounts == null
        ? 0
        : GrowthRates.bytes(accounts.last(), parts)
            - GrowthRates.bytes(accounts.all().getFirst().account(), parts);
  }

  /** How old the half of some parts is; null if there is but one account. */
  Evidence.@Nullable Since since(List<Part> parts) {
    if (accounts == null) {
      return null;
    }
    List<Accounts.Taken> all = accounts.all();
    long half = GrowthRates.bytes(accounts.last(), parts) / 2;
    Accounts.Taken earliest = all.getLast();
    for (Accounts.Taken taken : all.reversed()) {
      if (GrowthRates.bytes(taken.account(), parts) < half) {
        break;
      }
      earliest = taken;
    }
    Duration age = Duration.between(earliest.time(), all.getLast().time());
    return age.toSeconds() < 1 ? null : new Evidence.Since(age.toMillis() / 1000.0);
  }
}
