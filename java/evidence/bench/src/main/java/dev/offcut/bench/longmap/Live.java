package dev.offcut.bench.longmap;

/** Entries that live in a map all along, and are there in the end. */
final class Live {
  private static final Object VALUE = new Object();

  private Live() {}

  static void fill(AddressMap map, long[] addresses) {
    for (long address : addresses) {
      put(map, address);
    }
  }

  static void put(AddressMap map, long address) {
    if (map.put(address, VALUE) != null) {
      throw new AssertionError("twice: " + address);
    }
  }

  static void check(AddressMap map, long[] addresses) {
    for (long address : addresses) {
      if (map.get(address) != VALUE) {
        throw new AssertionError("lost: " + address);
      }
    }
  }

  static void drain(AddressMap map, long[] addresses) {
    for (long address : addresses) {
      if (map.remove(address) != VALUE) {
        throw new AssertionError("lost: " + address);
      }
    }
  }
}
