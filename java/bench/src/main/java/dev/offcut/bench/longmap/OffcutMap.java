package dev.offcut.bench.longmap;

import dev.offcut.longmap.ConcurrentLongMap;
import org.jspecify.annotations.Nullable;

/** {@code offcut}: as the library's documentation shows it. */
final class OffcutMap implements AddressMap {
  private final ConcurrentLongMap<Object> map = new ConcurrentLongMap<>();

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
