package dev.offcut.memory;

import java.util.List;

/**
 * The memory on a {@link Budget}: who holds it, and how much is left.
 *
 * <p>room = limit - used - heap growth - untouched - margin. Pools are read one after the other, so
 * the figures agree only while nobody takes or frees memory.
 *
 * @param budget the budget's name
 * @param limitBytes the limit
 * @param limit where the limit is from, in words
 * @param usedBytes of a budget of bytes: what is charged and registered. Of a container: what its
 *     processes use, without page cache that the kernel can drop
 * @param heapGrowthBytes what the Java heap may still take of the container; 0 in a budget of bytes
 * @param untouchedBytes what pools have taken of the container and not written yet; 0 in a budget
 *     of bytes
 * @param marginBytes what is left free
 * @param roomBytes what can be charged now; negative if more is in use than there should be
 * @param chargedBytes what pools have charged: committed bytes and reservations
 * @param holders the owners, free memory of pools, and registered holders that have memory, the
 *     largest first
 */
public record BudgetSnapshot(
    String budget,
    long limitBytes,
    String limit,
    long usedBytes,
    long heapGrowthBytes,
    long untouchedBytes,
    long marginBytes,
    long roomBytes,
    long chargedBytes,
    List<Holder> holders) {
  private static final int NAME_WIDTH = 40;
  private static final int WIDTH = 16;

  /** Copies the list. */
  public BudgetSnapshot {
    holders = List.copyOf(holders);
  }

  /**
   * Who holds memory.
   *
   * @param name such as {@code owner cache of pool server}
   * @param bytes how much
   */
  public record Holder(String name, long bytes) {}

  /** Returns the figures as a table for people. */
  @Override
  public String toString() {
    StringBuilder table = new StringBuilder();
    row(table, "budget " + budget, limitBytes);
    row(table, "in use", usedBytes);
    for (Holder holder : holders) {
      row(table, "  " + holder.name, holder.bytes);
    }
    row(table, "the Java heap may still grow by", heapGrowthBytes);
    row(table, "taken by pools and not written yet", untouchedBytes);
    row(table, "margin", marginBytes);
    row(table, "room", roomBytes);
    table.append("The limit is ").append(limit).append('.');
    return table.toString();
  }

  private static void row(StringBuilder table, String name, long bytes) {
    String figure = Long.toString(bytes);
    table
        .append(name)
        .repeat(' ', Math.max(1, NAME_WIDTH + WIDTH - name.length() - figure.length()))
        .append(figure)
        .append(System.lineSeparator());
  }

  /** Adds what each owner of a pool holds, and what is free there. */
  static void addOwners(PoolSnapshot pool, List<Holder> holders) {
    long free = pool.committedBytes();
    for (PoolSnapshot.OwnerShare share : pool.owners()) {
      String owner = share.owner().equals(pool.pool()) ? "" : "owner " + share.owner() + " of ";
      add(holders, owner + "pool " + pool.pool(), share.committedBytes() + share.externalBytes());
      free -= share.committedBytes();
    }
    add(holders, "free memory of pool " + pool.pool(), free);
  }

  static void add(List<Holder> holders, String name, long bytes) {
    if (bytes > 0) {
      holders.add(new Holder(name, bytes));
    }
  }

  /** Why a request is refused, who holds most, and what to do. */
  String describeRefusal(String budget, boolean isOfContainer) {
    StringBuilder text = new StringBuilder("the limit of budget ").append(budget).append(", ");
    text.append(limitBytes).append(" bytes (").append(limit).append("), ");
    text.append(usedBytes > limitBytes ? "is exceeded already: " : "would be exceeded: ");
    text.append(usedBytes).append(" bytes are in use");
    if (isOfContainer) {
      text.append(", ").append(heapGrowthBytes).append(" are kept for the Java heap, ");
      text.append(marginBytes).append(" are the margin");
    }
    text.append(", and ").append(Math.max(0, roomBytes)).append(" are left. ");
    if (!holders.isEmpty()) {
      Holder largest = holders.getFirst();
      text.append("The largest holder is ").append(largest.name()).append(" with ");
      text.append(largest.bytes()).append(" bytes. ");
    }
    text.append("Free memory of a holder, or raise the limit, and repeat the request");
    return text.append(System.lineSeparator()).append(this).toString();
  }
}
