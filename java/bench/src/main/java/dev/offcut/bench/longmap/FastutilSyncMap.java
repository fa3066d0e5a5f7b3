package dev.offcut.bench.longmap;

import it.unimi.dsi.fastutil.longs.Long2ObjectMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectMaps;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import org.jspecify.annotations.Nullable;

/** {@code fastutil-sync}: a map for one thread, in the library's own monitor. */
final class FastutilSyncMap implements AddressMap {
  private final Long2ObjectMap<Object> map =
      Long2ObjectMaps.synchronize(new Long2ObjectOpenHashMap<>());

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
