package dev.offcut.metrics;

import dev.offcut.memory.Budget;
import dev.offcut.memory.BudgetSnapshot;
import dev.offcut.memory.MemoryPool;
import dev.offcut.memory.PoolSnapshot;
import dev.offcut.memory.PoolSnapshot.OwnerShare;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The open pools of the copy of {@code dev.offcut.memory} that this library sees, their owners and
 * budgets. The owners with most memory have series of their own, and so have the largest holders of
 * each budget; the rest is the owner or the holder {@code other}.
 */
final class PoolSource extends Source {
  private record Owned(String pool, OwnerShare share) {
    long bytes() {
      return share.committedBytes() + share.externalBytes();
    }
  }

  private final int mostNames;

  PoolSource(int mostNames) {
    super("pools", "dev.offcut.memory.MemoryPool");
    this.mostNames = mostNames;
  }

  @Override
  boolean read(Readings to) {
    List<MemoryPool> pools = MemoryPool.open();
    Set<Budget> budgets = Collections.newSetFromMap(new IdentityHashMap<>());
    List<Owned> owners = new ArrayList<>();
    for (MemoryPool pool : pools) {
      PoolSnapshot snapshot = snapshot(pool);
      if (snapshot != null) {
        addPool(snapshot, to);
        for (OwnerShare share : snapshot.owners()) {
          owners.add(new Owned(snapshot.pool(), share));
        }
      }
      Budget budget = pool.budget();
      if (budget != null) {
        budgets.add(budget);
      }
    }
    owners.sort(Comparator.comparingLong(Owned::bytes).reversed());
    addOwners(owners, to);
    for (Budget budget : budgets) {
      addBudget(budget.snapshot(), to);
    }
    return !pools.isEmpty();
  }

  /** Null if the pool is being closed: at the next reading it is not there. */
  private @Nullable PoolSnapshot snapshot(MemoryPool pool) {
    try {
      return pool.snapshot();
    } catch (RuntimeException e) {
      say("a pool was left out of the metrics for once (" + e + ")");
      return null;
    }
  }

  private static void addPool(PoolSnapshot snapshot, Readings to) {
    String pool = snapshot.pool();
    if (snapshot.limitBytes() != Long.MAX_VALUE) {
      to.add(Metric.POOL_LIMIT, pool, snapshot.limitBytes());
    }
    to.add(Metric.POOL_RESERVED, pool, snapshot.reservedBytes());
    to.add(Metric.POOL_COMMITTED, pool, snapshot.committedBytes());
    to.add(Metric.POOL_HANDED_OUT, pool, snapshot.handedOutBytes());
    to.add(Metric.POOL_USED, pool, snapshot.usedBytes());
    to.add(Metric.POOL_KEPT, pool, snapshot.keptBytes());
    to.add(Metric.POOL_EXTERNAL, pool, snapshot.externalBytes());
    to.raise(Metric.POOL_LARGEST_FREE, pool, (double) snapshot.largestFreeBytes());
  }

  /** The others are one row of each metric. They have no limit, which would limit nobody. */
  private void addOwners(List<Owned> owners, Readings to) {
    for (int i = 0; i < owners.size(); i++) {
      OwnerShare share = owners.get(i).share;
      String pool = owners.get(i).pool;
      String owner = i < mostNames ? share.owner() : OTHER;
      if (i < mostNames && share.limitBytes() != Long.MAX_VALUE) {
        to.add(Metric.OWNER_LIMIT, pool, owner, share.limitBytes());
      }
      to.add(Metric.OWNER_COMMITTED, pool, owner, share.committedBytes());
      to.add(Metric.OWNER_HANDED_OUT, pool, owner, share.handedOutBytes());
      to.add(Metric.OWNER_USED, pool, owner, share.usedBytes());
      to.add(Metric.OWNER_PINNED, pool, owner, share.pinnedBytes());
      to.add(Metric.OWNER_EXTERNAL, pool, owner, share.externalBytes());
    }
  }

  private void addBudget(BudgetSnapshot snapshot, Readings to) {
    String budget = snapshot.budget();
    to.add(Metric.BUDGET_LIMIT, budget, snapshot.limitBytes());
    to.add(Metric.BUDGET_USED, budget, snapshot.usedBytes());
    to.add(Metric.BUDGET_HEAP_GROWTH, budget, snapshot.heapGrowthBytes());
    to.add(Metric.BUDGET_UNTOUCHED, budget, snapshot.untouchedBytes());
    to.add(Metric.BUDGET_MARGIN, budget, snapshot.marginBytes());
    to.add(Metric.BUDGET_ROOM, budget, snapshot.roomBytes());
    to.add(Metric.BUDGET_CHARGED, budget, snapshot.chargedBytes());
    List<BudgetSnapshot.Holder> holders = snapshot.holders();
    for (int i = 0; i < holders.size(); i++) {
      BudgetSnapshot.Holder holder = holders.get(i);
      to.add(Metric.BUDGET_HELD, budget, i < mostNames ? holder.name() : OTHER, holder.bytes());
    }
  }
}
