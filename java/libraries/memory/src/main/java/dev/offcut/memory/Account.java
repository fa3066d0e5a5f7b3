package dev.offcut.memory;

import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What an {@link Owner} is to regions: a name, limits, and the bytes that are charged to it and to
 * its parents.
 *
 * <p>A charge is added before it is compared, from the account up to the root, and what went too
 * far is taken back: so the sum never stays above a limit. Any thread may use it.
 */
abstract class Account {
  private final @Nullable Account parent;
  private final String name;
  private final Lifetime lifetime;
  private final long softLimitBytes;
  private final long hardLimitBytes;
  private final AtomicLong charged = new AtomicLong();
  private final AtomicLong external = new AtomicLong();
  private volatile boolean softLimitPassed;

  /** Whose close closed it, the pool's own or that of an owner; null while it is open. */
  private volatile @Nullable Account closedBy;

  /** What it holds in each region. Written under the region's lock and this monitor. */
  private volatile @Nullable Holding[] holdings = {};

  Account(
      @Nullable Account parent,
      String name,
      Lifetime lifetime,
      long softLimitBytes,
      long hardLimitBytes) {
    this.parent = parent;
    this.name = name;
    this.lifetime = lifetime;
    this.softLimitBytes = softLimitBytes;
    this.hardLimitBytes = hardLimitBytes;
  }

  /** {@return the name of this owner} */
  public final String name() {
    return name;
  }

  /**
   * {@return the path of this owner in reports} It has the names of the owners above it, without
   * the pool's own owner, and then its own name, separated by slashes.
   */
  public final String path() {
    return parent == null || parent.parent == null ? name : parent.path() + "/" + name;
  }

  /** {@return how long this owner's memory is likely to live} */
  public final Lifetime lifetime() {
    return lifetime;
  }

  /**
   * {@return the most bytes that the pool may charge this owner; {@link Long#MAX_VALUE} if there is
   * no hard limit}
   */
  public final long hardLimitBytes() {
    return hardLimitBytes;
  }

  /**
   * {@return the bytes that are charged to this owner and to all owners below it} The charge is for
   * their granules and reservations. Chunks that are kept for the next request count, too.
   */
  public final long chargedBytes() {
    return charged.get();
  }

  @Override
  public final String toString() {
    return path();
  }

  final boolean isRoot() {
    return parent == null;
  }

  /** That of the pool's own owner, which has the pool's name. */
  final Account root() {
    Account root = this;
    while (root.parent != null) {
      root = root.parent;
    }
    return root;
  }

  final boolean isClosed() {
    return closedBy != null;
  }

  /**
   * Closes it, or opens it again with null. Under the monitor: a child, a heap or a reservation is
   * added before it, or refused.
   */
  final synchronized void setClosedBy(@Nullable Account by) {
    closedBy = by;
  }

  /**
   * Throws if nothing may be taken for it. A request calls this first, so that it ends early, and
   * once more where it counts: under the lock that a close takes before it looks for memory in use.
   * The close of a pool closes all owners.
   */
  final void checkOpen() {
    Account by = closedBy;
    if (by != null) {
      throw closedException(by);
    }
  }

  private IllegalStateException closedException(Account by) {
    if (by.isRoot()) {
      return new ClosedPoolException("pool " + by + " is closed; nothing can be taken from it");
    }
    return new ClosedOwnerException(
        "owner " + this + " of pool " + root().name + " is closed; nothing can be taken for it");
  }

  /** Charges bytes to it and its parents; the one whose limit they would exceed, or null. */
  final @Nullable Account charge(long bytes) {
    for (@Nullable Account account = this; account != null; account = account.parent) {
      long now = account.charged.addAndGet(bytes);
      if (now > account.hardLimitBytes || now < 0) {
        account.charged.addAndGet(-bytes);
        for (Account below = this; below != account; below = Objects.requireNonNull(below.parent)) {
          below.charged.addAndGet(-bytes);
        }
        return account;
      }
      if (now > account.softLimitBytes && now - bytes <= account.softLimitBytes) {
        account.softLimitPassed = true;
      }
    }
    return null;
  }

  /** It or the nearest of its parents whose limit a charge would exceed now, or null. */
  final @Nullable Account findLimit(long bytes) {
    for (@Nullable Account account = this; account != null; account = account.parent) {
      if (bytes > account.hardLimitBytes - account.charged.get()) {
        return account;
      }
    }
    return null;
  }

  final void discharge(long bytes) {
    for (@Nullable Account account = this; account != null; account = account.parent) {
      account.charged.addAndGet(-bytes);
    }
  }

  /** Counts bytes of reservations, which were charged before; a negative number ends them. */
  final void addExternal(long bytes) {
    external.addAndGet(bytes);
  }

  /** Bytes of its own reservations. */
  final long externalBytes() {
    return external.get();
  }

  /** Calls back for the soft limits that were exceeded; without any lock. */
  final void reportSoftLimits() {
    for (@Nullable Account account = this; account != null; account = account.parent) {
      if (account.softLimitPassed) {
        account.softLimitPassed = false;
        account.softLimitExceeded();
      }
    }
  }

  /** Its soft limit was exceeded by a request, which is granted whatever this does. */
  abstract void softLimitExceeded();

  /** What it holds of a region, or null. The caller has the region's lock. */
  final @Nullable Holding findHolding(Region region) {
    for (Holding holding : holdings) {
      if (holding != null && holding.region == region) {
        return holding;
      }
    }
    return null;
  }

  final synchronized void addHolding(Holding holding) {
    @Nullable Holding[] all = holdings;
    int at = 0;
    while (at < all.length && all[at] != null) {
      at++;
    }
    @Nullable Holding[] more = Arrays.copyOf(all, Math.max(at + 1, all.length));
    more[at] = holding;
    holdings = more;
  }

  /** Forgets what it held; a reader of another region passes over it. */
  final synchronized void removeHolding(Holding holding) {
    @Nullable Holding[] all = holdings;
    for (int i = 0; i < all.length; i++) {
      if (all[i] == holding) {
        all[i] = null;
      }
    }
  }
}
