package dev.offcut.bench.longmap;

import dev.offcut.longmap.ConcurrentLongMap;
import java.util.concurrent.ConcurrentHashMap;
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
      case "jctools" -> new JctoolsMap();
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
}
