package dev.offcut.retrofit.base.concurrent;

import dev.offcut.longmap.ConcurrentLongMap;
import java.util.AbstractMap;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What stands in {@code Memory.allocatedMemory} after the retrofit: a map by address that boxes
 * nothing when it is asked through {@link #put(Map, long, Object)} and {@link #remove(Map, long)},
 * and is a map like any other for whoever else finds it there.
 *
 * <p>It never runs here: a copy of it in java.base does. Any thread may use it.
 */
public final class AddressMap extends AbstractMap<Long, Object> {
  private final ConcurrentLongMap<Object> entries = new ConcurrentLongMap<>();

  /** An empty map. */
  public AddressMap() {}

  /** An empty map. */
  public static Map<Long, Object> create() {
    return new AddressMap();
  }

  /** Puts a value into a map, which may be another one: then as its own users would. */
  public static @Nullable Object put(Map<Long, Object> map, long address, Object value) {
    return map instanceof AddressMap own
        ? own.entries.put(address, value)
        : map.put(address, value);
  }

  /** Removes an address from a map, which may be another one: then as its own users would. */
  public static @Nullable Object remove(Map<Long, Object> map, long address) {
    return map instanceof AddressMap own ? own.entries.remove(address) : map.remove(address);
  }

  @Override
  public @Nullable Object get(Object address) {
    return entries.asConcurrentMap().get(address);
  }

  @Override
  public boolean containsKey(Object address) {
    return entries.asConcurrentMap().containsKey(address);
  }

  @Override
  public @Nullable Object put(Long address, Object value) {
    return entries.put(address, value);
  }

  @Override
  public @Nullable Object remove(Object address) {
    return entries.asConcurrentMap().remove(address);
  }

  @Override
  public Collection<Object> values() {
    return entries.asConcurrentMap().values();
  }

  @Override
  public Set<Map.Entry<Long, Object>> entrySet() {
    return entries.asConcurrentMap().entrySet();
  }
}
