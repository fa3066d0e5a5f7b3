package dev.offcut.command.judge;

import dev.offcut.command.judge.Finding.Severity;
import dev.offcut.command.judge.Finding.What;
import dev.offcut.command.read.Accounts;
import dev.offcut.command.read.Digest;
import dev.offcut.resident.Account;
import dev.offcut.resident.Bound;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Limits of the process that are near, but for that of file descriptors. */
final class LimitFindings {
  /** The kind of direct buffers. */
  private static final String DIRECT = "buffer.direct";

  private LimitFindings() {}

  /** None if nobody looked. */
  static List<Finding> of(Facts facts) {
    Accounts accounts = facts.accounts();
    if (accounts == null) {
      return List.of();
    }
    List<Bound> bounds = new ArrayList<>(accounts.last().bounds());
    // Other processes of the container may have its threads, as they may have its memory.
    bounds.removeIf(
        bound -> bound.of() == Bound.Of.THREADS && accounts.last().threads() < bound.used() / 2);
    Bound memory = memory(accounts.last());
    if (memory != null) {
      bounds.add(memory);
    }
    return bounds.stream()
        .map(bound -> bound.used() < 0 ? withDirect(bound, facts) : bound)
        .filter(bound -> bound.used() >= near(bound))
        .map(LimitFindings::finding)
        .toList();
  }

  /** That of the container; null if there is none, or other processes have the memory. */
  private static @Nullable Bound memory(Account account) {
    Account.Container its = account.container();
    return its == null || its.limit() <= 0 || account.resident() < its.limit() / 2
        ? null
        : new Bound(Bound.Of.MEMORY, its.used() - its.pageCache(), its.limit());
  }

  private static Bound withDirect(Bound bound, Facts facts) {
    Digest.Kind direct = facts.kind(DIRECT);
    return new Bound(bound.of(), direct == null ? 0 : direct.bytes(), bound.limit());
  }

  /** A pool of buffers, or a heap that was sized for the container, has half by intention. */
  private static long near(Bound bound) {
    return switch (bound.of()) {
      case MEMORY, DIRECT_MEMORY, METASPACE -> bound.limit() - bound.limit() / 10;
      case THREADS, INOTIFY, CLASS_SPACE -> bound.limit() / 2;
    };
  }

  private static Finding finding(Bound bound) {
    return Finding.of(Severity.LIMIT, What.LIMIT)
        .subject(bound.of().name().toLowerCase(Locale.ROOT).replace('_', ' '))
        .because(new Evidence.OfLimit(bound))
        .count(bound.used(), bound.limit())
        .advise(
            switch (bound.of()) {
              case THREADS -> Advice.STACKS;
              case INOTIFY -> Advice.WATCHES;
              case CLASS_SPACE, METASPACE -> Advice.METASPACE;
              case DIRECT_MEMORY -> Advice.REUSE_BUFFERS;
              case MEMORY -> Advice.CONTAINER;
            });
  }
}
