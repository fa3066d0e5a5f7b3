package dev.offcut.bench.longmap;

import org.apache.activemq.artemis.utils.collections.ConcurrentLongHashMap;
import org.jspecify.annotations.Nullable;

/** {@code artemis}: sections of open addressing, each under a StampedLock. */
final class ArtemisMap implements AddressMap {
  private final ConcurrentLongHashMap<Object> map = new ConcurrentLongHashMap<>();

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
