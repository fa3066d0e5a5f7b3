package dev.offcut.objectstream;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's classes that policies know by groups. None of them runs code of the stream's choosing
 * by itself; collections call {@code hashCode}, {@code equals} and {@code compareTo} of what is in
 * them.
 */
final class JdkTypes {
  private JdkTypes() {}

  /** Names of the class that a lambda, and of the class that a proxy is in a stream. */
  static final String LAMBDA = "java.lang.invoke.SerializedLambda";

  static final String PROXY = "java.lang.reflect.Proxy";

  /**
   * Always allowed: values, and what stands beside them in streams. Not in it is what takes memory
   * by a figure alone, such as {@code Collections.nCopies}.
   */
  static final Set<String> BASE =
      names(
          "java.lang",
          "Boolean Byte Character Double Enum Float Integer Long Number Object Short String",
          "java.math",
          "BigDecimal BigInteger MathContext RoundingMode",
          "java.time",
          "DayOfWeek Duration Instant LocalDate LocalDateTime LocalTime Month MonthDay"
              + " OffsetDateTime OffsetTime Period Ser Year YearMonth ZonedDateTime ZoneOffset"
              + " ZoneRegion",
          "java.time.temporal",
          "ChronoUnit",
          "java.util",
          "Date Map$Entry UUID",
          "java.util.concurrent",
          "TimeUnit");

  /** Lists, sets and maps as they are made by constructors, factories and wrappers. */
  static final Set<String> COLLECTIONS =
      names(
          "java.util",
          "AbstractMap$SimpleEntry AbstractMap$SimpleImmutableEntry ArrayDeque ArrayList"
              + " Arrays$ArrayList CollSer EnumMap EnumSet EnumSet$SerializationProxy HashMap"
              + " HashSet ImmutableCollections$List12 ImmutableCollections$ListN"
              + " ImmutableCollections$Map1 ImmutableCollections$MapN ImmutableCollections$Set12"
              + " ImmutableCollections$SetN ImmutableCollections$SubList JumboEnumSet"
              + " LinkedHashMap LinkedHashSet LinkedList RegularEnumSet TreeMap TreeSet",
          "java.util",
          "Collections$EmptyList Collections$EmptyMap Collections$EmptySet"
              + " Collections$SingletonList Collections$SingletonMap Collections$SingletonSet"
              + " Collections$UnmodifiableCollection Collections$UnmodifiableList"
              + " Collections$UnmodifiableMap Collections$UnmodifiableNavigableMap"
              + " Collections$UnmodifiableNavigableSet Collections$UnmodifiableRandomAccessList"
              + " Collections$UnmodifiableSequencedCollection"
              + " Collections$UnmodifiableSequencedMap Collections$UnmodifiableSequencedSet"
              + " Collections$UnmodifiableSet Collections$UnmodifiableSortedMap"
              + " Collections$UnmodifiableSortedSet Collections$SynchronizedCollection"
              + " Collections$SynchronizedList Collections$SynchronizedMap"
              + " Collections$SynchronizedRandomAccessList Collections$SynchronizedSet"
              + " Collections$ReverseComparator Collections$ReverseComparator2",
          "java.lang",
          "String$CaseInsensitiveComparator");

  /** The concurrent ones, and what {@code ConcurrentHashMap} writes for the sake of Java 5. */
  static final Set<String> CONCURRENT_COLLECTIONS =
      names(
          "java.util.concurrent",
          "ConcurrentHashMap ConcurrentHashMap$Segment ConcurrentLinkedDeque"
              + " ConcurrentLinkedQueue ConcurrentSkipListMap ConcurrentSkipListSet"
              + " CopyOnWriteArrayList CopyOnWriteArraySet",
          "java.util.concurrent.locks",
          "AbstractOwnableSynchronizer AbstractQueuedSynchronizer ReentrantLock"
              + " ReentrantLock$NonfairSync ReentrantLock$Sync");

  /** What to call to allow the group that a class is in; null if it is in none. */
  static @Nullable String setting(String name) {
    if (COLLECTIONS.contains(name)) {
      return "allowCollections()";
    }
    return CONCURRENT_COLLECTIONS.contains(name) ? "allowConcurrentCollections()" : null;
  }

  private static Set<String> names(String... packagesAndClasses) {
    Set<String> names = new TreeSet<>();
    for (int i = 0; i < packagesAndClasses.length; i += 2) {
      for (String simple : List.of(packagesAndClasses[i + 1].split(" "))) {
        names.add(packagesAndClasses[i] + "." + simple);
      }
    }
    return Set.copyOf(names);
  }
}
