package dev.offcut.bench.longmap;

import org.jspecify.annotations.Nullable;

/** A map from address to value, of whichever implementation. */
interface AddressMap {
  /** The value before, or null. */
  @Nullable Object put(long address, Object value);

  @Nullable Object get(long address);

  /** The value it had, or null. */
  @Nullable Object remove(long address);

  /**
   * An empty map of the implementation with that name in the rows. A JVM that asks for one only
   * loads the class of that one only, so that its calls inline.
   */
  static AddressMap of(String impl) {
    return switch (impl) {
      case "offcut" -> new OffcutMap();
      case "jdk-chm" -> new JdkChmMap();
      case "artemis" -> new ArtemisMap();
      case "bookkeeper" -> new BookkeeperMap();
      case "jctools" -> new JctoolsMap();
      case "fastutil-sync" -> new FastutilSyncMap();
      case "agrona-sync" -> new AgronaSyncMap();
      default -> throw new IllegalArgumentException("no implementation " + impl);
    };
  }
}
