package dev.offcut.bench.longmap;

import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/** {@code agrona-sync}: a map for one thread, in a monitor around it. */
final class AgronaSyncMap implements AddressMap {
  private final Long2ObjectHashMap<Object> map = new Long2ObjectHashMap<>();

  @Override
  public synchronized @Nullable Object put(long address, Object value) {
    return map.put(address, value);
  }

  @Override
  public synchronized @Nullable Object get(long address) {
    return map.get(address);
  }

  @Override
  public synchronized @Nullable Object remove(long address) {
    return map.remove(address);
  }
}
