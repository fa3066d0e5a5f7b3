package dev.offcut.bench.longmap;

import org.apache.bookkeeper.util.collections.ConcurrentLongHashMap;
import org.jspecify.annotations.Nullable;

/** {@code bookkeeper}: what artemis' map descends from, told to shrink. */
final class BookkeeperMap implements AddressMap {
  private final ConcurrentLongHashMap<Object> map =
      ConcurrentLongHashMap.<Object>newBuilder()
          .expectedItems(256)
          .concurrencyLevel(16)
          .autoShrink(true)
          .build();

  @Override
  public @Nullable Object put(long address, Object value) {
    return map.put(address, value);
  }

  @Override
  public @Nullable Object get(long address) {
    return map.get(address);
  }

  @Override
  public @Nullable Object remove(long address) {
    return map.remove(address);
  }
}
