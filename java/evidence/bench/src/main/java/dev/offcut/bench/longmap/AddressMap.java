package dev.offcut.bench.longmap;

import com.carrotsearch.hppc.LongObjectHashMap;
import dev.offcut.longmap.ConcurrentLongMap;
import it.unimi.dsi.fastutil.HashCommon;
import it.unimi.dsi.fastutil.longs.Long2ObjectMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectMaps;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.agrona.collections.Long2ObjectHashMap;
import org.jctools.maps.NonBlockingHashMapLong;
import org.jspecify.annotations.Nullable;

/** A map from address to value, of whichever implementation; and the implementations. */
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
      case "fastutil-striped" -> new StripedMap(FastutilSyncMap::new);
      case "hppc-sync" -> new HppcSyncMap();
      case "hppc-striped" -> new StripedMap(HppcSyncMap::new);
      case "agrona-sync" -> new AgronaSyncMap();
      default -> throw new IllegalArgumentException("no implementation " + impl);
    };
  }

  /** {@code offcut}: as the library's documentation shows it. */
  static final class OffcutMap implements AddressMap {
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

  /** {@code jdk-chm}: the JDK's, which needs its keys boxed. */
  static final class JdkChmMap implements AddressMap {
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

  /** {@code artemis}: sections of open addressing, each under a StampedLock. */
  static final class ArtemisMap implements AddressMap {
    private final org.apache.activemq.artemis.utils.collections.ConcurrentLongHashMap<Object> map =
        new org.apache.activemq.artemis.utils.collections.ConcurrentLongHashMap<>();

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

  /** {@code bookkeeper}: what artemis' map descends from, told to shrink. */
  static final class BookkeeperMap implements AddressMap {
    private final org.apache.bookkeeper.util.collections.ConcurrentLongHashMap<Object> map =
        org.apache.bookkeeper.util.collections.ConcurrentLongHashMap.<Object>newBuilder()
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

  /** {@code jctools}: lock-free, and its keys stay for ever. */
  static final class JctoolsMap implements AddressMap {
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

  /** {@code fastutil-sync}: a map for one thread, in the library's own monitor. */
  static final class FastutilSyncMap implements AddressMap {
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

  /** {@code hppc-sync}: a map for one thread, in a monitor around it. */
  static final class HppcSyncMap implements AddressMap {
    private final LongObjectHashMap<Object> map = new LongObjectHashMap<>();

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

  /**
   * {@code fastutil-striped}, {@code hppc-striped}: sixteen of the maps above, as many as Artemis'
   * map has sections, each with its own monitor. The four highest bits of the mixed address choose
   * the map.
   */
  static final class StripedMap implements AddressMap {
    private static final int STRIPES = 16;
    private static final int SHIFT = Long.numberOfLeadingZeros(STRIPES - 1);

    private final AddressMap[] stripes;

    StripedMap(Supplier<AddressMap> stripe) {
      stripes = Stream.generate(stripe).limit(STRIPES).toArray(AddressMap[]::new);
    }

    @Override
    public @Nullable Object put(long address, Object value) {
      return of(address).put(address, value);
    }

    @Override
    public @Nullable Object get(long address) {
      return of(address).get(address);
    }

    @Override
    public @Nullable Object remove(long address) {
      return of(address).remove(address);
    }

    private AddressMap of(long address) {
      return stripes[(int) (HashCommon.mix(address) >>> SHIFT)];
    }
  }

  /** {@code agrona-sync}: a map for one thread, in a monitor around it. */
  static final class AgronaSyncMap implements AddressMap {
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
}
