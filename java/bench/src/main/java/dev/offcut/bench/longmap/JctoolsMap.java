package dev.offcut.bench.longmap;

import org.jctools.maps.NonBlockingHashMapLong;
import org.jspecify.annotations.Nullable;

/** {@code jctools}: lock-free, and its keys stay for ever. */
final class JctoolsMap implements AddressMap {
  private final NonBlockingHashMapLong<Object> map = new NonBlockingHashMapLong<>();

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
