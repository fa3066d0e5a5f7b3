package dev.offcut.command.judge;

import dev.offcut.command.read.Courses;
import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Kinds;
import dev.offcut.command.read.NativeCallers;
import dev.offcut.resident.Account;
import dev.offcut.resident.Part;
import dev.offcut.rules.Rule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the memory whose taking nobody watched, for {@link Unclaimed} to say who has it. */
final class Claims {
  /** So many that were freed late may have had what malloc keeps. */
  private static final int FEWEST_LATE = 100;

  private Claims() {}

  /**
   * Finds it.
   *
   * @param courses how many of each site had not ended over time
   * @param byRule whether the agent used the built-in rules
   */
  static Unclaimed of(Facts facts, List<Courses.Course> courses, boolean byRule) {
    Unclaimed unclaimed = new Unclaimed(byRule || !facts.closeables().isEmpty());
    NativeCallers callers = facts.callers();
    if (callers != null) {
      unclaimed.sampled(facts, callers, courses);
      unclaimed.late(facts, callers, courses);
    }
    if (facts.accounts() != null) {
      ofAccount(facts, facts.accounts().last(), unclaimed);
    }
    for (Digest.Kind kind : facts.kinds()) {
      if (!Kinds.isCloseable(kind.kind())
          && !Kinds.isEstimated(kind.kind())
          && facts.isMuch(kind.bytes() + kind.lostBytes())) {
        String pool = pool(kind, facts);
        Integer most = facts.worst(kind.kind(), Digest.Site::bytes);
        if (facts.closeables().stream().anyMatch(one -> one.holds().equals(kind.kind()))) {
          unclaimed.kind(kind);
        } else if (!pool.isEmpty()) {
          ofPool(kind, pool, facts, unclaimed);
        } else if (most != null && kind.lost() == 0) { // lost ones are a finding by themselves
          unclaimed.ofObjects(facts, kind, facts.sites().get(most));
        }
      }
    }
    unclaimed.divide(facts);
    return unclaimed;
  }

  private static void ofAccount(Facts facts, Account last, Unclaimed unclaimed) {
    MallocFindings.allocatorRows(facts, last)
        .forEach(row -> unclaimed.allocator(row.detail(), row.bytes()));
    long malloc = MallocFindings.unwatchedBytes(facts, last);
    if (facts.isMuch(malloc) && facts.callers() == null) {
      unclaimed.malloc(malloc); // what was sampled has lines, and belongs to what these opened
    }
    long files = last.bytes(Part.FILES);
    if (facts.isMuch(files) && !facts.isGrowing(Part.FILES)) {
      unclaimed.files(files, PartFindings.files(last), facts.kinds());
    }
    long kept = last.bytes(Part.MALLOC_TRIMMABLE);
    if (facts.isMuch(kept)) {
      Digest.Kind late = freedLate(facts, kept);
      if (NativeFindings.lateBytes(facts) >= kept / 2) {
        unclaimed.kept(NativeCallers.KIND, kept);
      } else if (late != null) {
        unclaimed.kept(late.kind(), kept);
      }
    }
  }

  /**
   * Memory that the pool of a library has. If it is known how much of it is in use, and that is not
   * much, the finding is about the pool. Objects that are lost are told of in any case.
   */
  private static void ofPool(Digest.Kind kind, String library, Facts facts, Unclaimed unclaimed) {
    List<Digest.BufferPool> its =
        facts.bufferPools().stream().filter(pool -> pool.type().startsWith(library)).toList();
    long used = its.stream().mapToLong(Digest.BufferPool::used).sum();
    if (its.isEmpty() || its.stream().anyMatch(pool -> pool.used() < 0)) {
      unclaimed.pool(kind, library);
      return;
    }
    boolean isLost =
        facts.kinds().stream()
            .anyMatch(one -> one.lost() > 0 && one.kind().startsWith(Kinds.CLOSEABLE + library));
    if (facts.isMuch(used) || isLost) {
      long kept = its.stream().mapToLong(Digest.BufferPool::kept).sum();
      unclaimed.pool(kind, library, used, kept, isLost);
    }
    if (its.stream().anyMatch(pool -> isIdle(pool, facts))) {
      unclaimed.tell(kind.kind());
    }
  }

  /** Whether more than half of what it keeps is in no buffer, and that is much. */
  static boolean isIdle(Digest.BufferPool pool, Facts facts) {
    return pool.used() >= 0
        && pool.used() < pool.kept() / 2
        && facts.isMuch(pool.kept() - pool.used());
  }

  /**
   * What most likely had the memory that malloc keeps, if it was freed late: a kind that had as
   * much at its peak; if no kind had, that of the closeables in malloc of which most were late.
   */
  private static Digest.@Nullable Kind freedLate(Facts facts, long kept) {
    double seconds = facts.target().seconds();
    Digest.Kind fallen = MallocFindings.fallen(facts, kept);
    if (fallen != null) {
      return KindFindings.isLate(fallen, null, seconds) ? fallen : null;
    }
    Digest.Kind most = null;
    for (Digest.Closeable one : facts.closeables()) {
      Digest.Kind kind = facts.kind(one.kind());
      if (kind != null
          && one.holds().equals(Rule.MALLOC)
          && kind.collected() >= FEWEST_LATE
          && KindFindings.isLate(kind, one, seconds)
          && (most == null || kind.collected() > most.collected())) {
        most = kind;
      }
    }
    return most;
  }

  /** The package of the library whose pool has most of a kind; empty if none has. */
  private static String pool(Digest.Kind kind, Facts facts) {
    for (Digest.Closeable one : facts.closeables()) {
      String type = one.kind().substring(Kinds.CLOSEABLE.length());
      String library = type.substring(0, type.lastIndexOf('.') + 1);
      if (one.holds().equals(Rule.POOL) && !library.isEmpty()) {
        long bytes =
            facts.sites().stream()
                .filter(site -> site.kind().equals(kind.kind()))
                .filter(site -> site.frames().stream().anyMatch(at -> at.startsWith(library)))
                .mapToLong(site -> site.bytes() + site.lostBytes())
                .sum();
        if (bytes > (kind.bytes() + kind.lostBytes()) / 2) {
          return library;
        }
      }
    }
    return "";
  }
}
