package dev.offcut.bench.longmap;

import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** {@code jdk-chm}: the JDK's, which needs its keys boxed. */
final class JdkChmMap implements AddressMap {
  private final ConcurrentHashMap<Long, Object> map = new ConcurrentHashMap<>();

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
