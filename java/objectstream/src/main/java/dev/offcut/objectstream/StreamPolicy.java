package dev.offcut.objectstream;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What object streams may hold, and how much of it. One constant per kind of message.
 *
 * <pre>{@code
 * static final StreamPolicy ORDERS =
 *     StreamPolicy.allow(Order.class, LineItem.class).allowCollections().maxDepth(20).build();
 *
 * try (SafeObjectInputStream in = ORDERS.open(socketInput, Order.class.getClassLoader())) {
 *   Order order = in.readObject(Order.class);
 * }
 * }</pre>
 *
 * Always allowed are strings, primitives and their boxes, {@code Object}, {@code Number} and {@code
 * Enum} as what others extend, {@code BigInteger}, {@code BigDecimal}, {@code MathContext}, {@code
 * RoundingMode}, the values of {@code java.time}, {@code ChronoUnit}, {@code TimeUnit}, {@code
 * Date}, {@code UUID}; and arrays of all that is allowed. Nothing else is, until it is named. A
 * class that extends an allowed one is not allowed by that.
 *
 * <p>Classes are allowed by name: the loader given to {@link #open} says which class that is.
 *
 * <p>Policies are immutable and safe for all threads, and keep no class loader reachable.
 */
public final class StreamPolicy {
  private final AllowList allowList;
  private final Limits limits;
  private final ClassCache cache = new ClassCache();

  private StreamPolicy(Builder builder) {
    allowList = new AllowList(builder.classes, builder.packages, builder.proxies, builder.lambdas);
    limits = new Limits(builder.limits);
  }

  /** Begins a policy that allows these. As {@link Builder#allow}. */
  public static Builder allow(Class<?>... types) {
    return builder().allow(types);
  }

  /** Begins a policy that allows the base set alone. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * The policy of an allow-list, with the default limits. {@link Builder#allowFrom} adds one to
   * more.
   *
   * @param allowList as {@link #allowedNames} and {@link Learning} write it
   * @throws IllegalArgumentException if a line is not a name; says which line
   */
  public static StreamPolicy parse(String allowList) {
    Builder builder = builder();
    AllowListText.parse(allowList, "allow-list", builder);
    return builder.build();
  }

  /**
   * Opens a stream. It takes classes from the loader, and only from there. Reads the header.
   *
   * @param in owned by the stream, which closes it; if this throws, it stays the caller's, open
   * @throws java.io.StreamCorruptedException if the input does not begin as an object stream
   * @throws IOException if the input cannot be read
   * @throws IllegalStateException if the JVM-wide filter or filter factory is not set up properly
   */
  public SafeObjectInputStream open(InputStream in, ClassLoader loader) throws IOException {
    return open(in, Objects.requireNonNull(loader), null);
  }

  /** As the other, with the loader of the class that made the lookup: {@code lookup()}. */
  public SafeObjectInputStream open(InputStream in, MethodHandles.Lookup lookup)
      throws IOException {
    return open(in, lookup.lookupClass().getClassLoader(), null);
  }

  SafeObjectInputStream open(
      InputStream in, @Nullable ClassLoader loader, @Nullable Learning learning)
      throws IOException {
    Objects.requireNonNull(in);
    return new SafeObjectInputStream(in, this, cache.of(loader), learning);
  }

  /**
   * <strong>Lets every class pass</strong>, and writes what this policy lacks to a file. For tests
   * and trusted input only: a stream from outside can then do whatever a deserialization attack
   * can. Limits and the JVM-wide filter stay.
   *
   * @param file written whenever a stream that had something new is closed, and at the end
   */
  public Learning learning(Path file) {
    return new Learning(this, file, null);
  }

  /**
   * As the other; written when the {@link Learning} is closed.
   *
   * @param to stays open
   */
  public Learning learning(Appendable to) {
    return new Learning(this, null, to);
  }

  /** A figure of this policy. */
  public long limit(Limit limit) {
    return limits.of(limit);
  }

  /**
   * Everything that is allowed beside the base set, as text for {@link #parse}: to be looked at,
   * compared and kept.
   */
  public String allowedNames() {
    return AllowListText.of(allowList.lines());
  }

  AllowList allowList() {
    return allowList;
  }

  Limits limits() {
    return limits;
  }

  /** Collects what a policy allows. Not for several threads. */
  public static final class Builder {
    final Set<String> classes = new HashSet<>();
    final Set<String> packages = new HashSet<>();
    final Set<String> proxies = new HashSet<>();
    final Set<String> lambdas = new HashSet<>();
    private final Map<Limit, Long> limits = new EnumMap<>(Limit.class);

    private Builder() {}

    /**
     * Allows these classes, enums, records and interfaces, and their serializable superclasses,
     * since their state is part of a stream; not what extends them.
     *
     * @throws IllegalArgumentException if one is hidden, such as that of a lambda
     */
    public Builder allow(Class<?>... types) {
      ClosedTypes named = new ClosedTypes(classes);
      for (Class<?> type : types) {
        named.add(type);
      }
      return this;
    }

    /**
     * Allows classes that are not at hand here, such as {@code com.acme.Order$Line}. Superclasses
     * are not added.
     *
     * @throws IllegalArgumentException if one is not the name of a class
     */
    public Builder allowNames(String... names) {
      for (String name : names) {
        classes.add(AllowListText.name(name, "allowNames"));
      }
      return this;
    }

    /**
     * Allows all classes of a package, nested ones too, now and in future. Not of packages below.
     *
     * @throws IllegalArgumentException if it is not the name of a package
     */
    public Builder allowPackage(String name) {
      packages.add(AllowListText.name(name, "allowPackage"));
      return this;
    }

    /**
     * Allows sealed types and all that they permit, over all levels, and what records among them
     * consist of, as {@link #allowRecords}. Of a non-sealed class, only itself.
     *
     * @throws IllegalArgumentException if one is not sealed
     */
    public Builder allowSealed(Class<?>... roots) {
      ClosedTypes named = new ClosedTypes(classes);
      for (Class<?> root : roots) {
        named.addSealed(root);
      }
      return this;
    }

    /**
     * Allows records, and the program's types in their components and type arguments that cannot be
     * extended by strangers: records, enums, sealed and final types, over all levels.
     *
     * @throws IllegalArgumentException if one is not a record
     */
    public Builder allowRecords(Class<?>... records) {
      ClosedTypes named = new ClosedTypes(classes);
      for (Class<?> record : records) {
        named.addRecord(record);
      }
      return this;
    }

    /**
     * Allows the lists, sets, maps and entries of {@code java.util} that {@code new}, {@code of},
     * {@code copyOf}, {@code Arrays.asList} and the empty, singleton, unmodifiable and synchronized
     * wrappers of {@code Collections} make; {@code EnumSet}, {@code EnumMap}, and the comparators
     * {@code reverseOrder} and {@code CASE_INSENSITIVE_ORDER}. Without {@code Vector}, {@code
     * Hashtable}, {@code PriorityQueue} and {@code nCopies}.
     */
    public Builder allowCollections() {
      classes.addAll(JdkTypes.COLLECTIONS);
      return this;
    }

    /**
     * Allows {@code ConcurrentHashMap}, {@code ConcurrentSkipListMap} and {@code Set}, {@code
     * CopyOnWriteArrayList} and {@code Set}, {@code ConcurrentLinkedQueue} and {@code Deque}.
     */
    public Builder allowConcurrentCollections() {
      classes.addAll(JdkTypes.CONCURRENT_COLLECTIONS);
      return this;
    }

    /**
     * Allows proxies all of whose interfaces are among these. Their invocation handler has to be
     * allowed too, and is called for every method: name only handlers written for this. Each order
     * of each set of the interfaces is a class of its own, which the sender may have made and the
     * loader keeps: name three, not ten.
     */
    public Builder allowProxies(Class<?>... interfaces) {
      for (Class<?> type : interfaces) {
        if (!type.isInterface()) {
          throw new IllegalArgumentException(
              type.getName() + ": is not an interface; proxies have nothing else");
        }
        proxies.add(type.getName());
      }
      return this;
    }

    /**
     * Allows serializable lambdas and method references written in these classes, with arguments of
     * the stream's choosing. The classes become allowed themselves: lambdas refer to them.
     */
    public Builder allowLambdas(Class<?>... writtenIn) {
      for (Class<?> type : writtenIn) {
        lambdas.add(type.getName());
      }
      return this;
    }

    /**
     * Allows what a file names, in the form of {@link #allowedNames}.
     *
     * @throws IOException if it cannot be read
     * @throws IllegalArgumentException if a line is not a name; says which line
     */
    public Builder allowFrom(Path allowList) throws IOException {
      AllowListText.parse(Files.readString(allowList), allowList.toString(), this);
      return this;
    }

    /** As {@link Limit#DEPTH}. */
    public Builder maxDepth(long depth) {
      return max(Limit.DEPTH, depth);
    }

    /** As {@link Limit#REFERENCES}. */
    public Builder maxReferences(long references) {
      return max(Limit.REFERENCES, references);
    }

    /** As {@link Limit#ARRAY_LENGTH}. */
    public Builder maxArrayLength(long elements) {
      return max(Limit.ARRAY_LENGTH, elements);
    }

    /** As {@link Limit#BYTES}. */
    public Builder maxBytes(long bytes) {
      return max(Limit.BYTES, bytes);
    }

    /**
     * As {@link Limit#EXPANSION}. {@code Long.MAX_VALUE} leaves collections unweighed: {@link
     * #maxWork} then takes each for one step, and does not bound what hashing them costs.
     */
    public Builder maxExpansion(long elements) {
      return max(Limit.EXPANSION, elements);
    }

    /** As {@link Limit#WORK}. */
    public Builder maxWork(long steps) {
      return max(Limit.WORK, steps);
    }

    private Builder max(Limit limit, long figure) {
      if (figure < 0) {
        throw new IllegalArgumentException(
            limit.setting() + " " + figure + ": is negative; Long.MAX_VALUE is no limit");
      }
      limits.put(limit, figure);
      return this;
    }

    /** The policy. The builder may go on to another. */
    public StreamPolicy build() {
      return new StreamPolicy(this);
    }

    void addNamesOf(Builder other) {
      classes.addAll(other.classes);
      packages.addAll(other.packages);
      proxies.addAll(other.proxies);
      lambdas.addAll(other.lambdas);
    }
  }
}
