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
 * Lists the classes that object streams may contain, and limits their size and cost. Use one
 * constant for each kind of message.
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
 * <p>Always allowed are strings, primitives and their boxes, {@code BigInteger}, {@code
 * BigDecimal}, {@code MathContext}, {@code RoundingMode}, the values of {@code java.time}, {@code
 * ChronoUnit}, {@code TimeUnit}, {@code Date} and {@code UUID}; {@code Object}, {@code Number} and
 * {@code Enum} as superclasses; and arrays of everything that is allowed. Every other class must be
 * named. A subclass of an allowed class is not allowed unless it is named, too.
 *
 * <p>Classes are allowed by name. The loader that is passed to {@link #open} decides which class a
 * name means.
 *
 * <p>Policies are immutable, can be shared by all threads, and keep no class loader reachable.
 */
public final class StreamPolicy {
  private final AllowList allowList;
  private final Limits limits;
  private final ClassCache cache = new ClassCache();

  private StreamPolicy(Builder builder) {
    allowList = new AllowList(builder.classes, builder.packages, builder.proxies, builder.lambdas);
    limits = new Limits(builder.limits);
  }

  /**
   * Begins a policy that allows these classes, as {@link Builder#allow} does.
   *
   * @param types classes, enums, records or interfaces
   * @return a new builder
   * @throws IllegalArgumentException if one is hidden, such as the class of a lambda
   */
  public static Builder allow(Class<?>... types) {
    return builder().allow(types);
  }

  /**
   * Begins a policy that allows only what is always allowed.
   *
   * @return a new builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Makes the policy of an allow-list, with the default limits. To combine a list with other
   * settings, use {@link Builder#allowFrom}.
   *
   * @param allowList text as {@link #allowedNames} and {@link Learning} write it
   * @return a new policy
   * @throws IllegalArgumentException if a line is not a name; the message has the line number
   */
  public static StreamPolicy parse(String allowList) {
    Builder builder = builder();
    AllowListText.parse(allowList, "allow-list", builder);
    return builder.build();
  }

  /**
   * Opens a stream that finds classes only through this loader. Reads the header.
   *
   * @param in the input; the stream owns and closes it. If this method throws, the input stays open
   *     and belongs to the caller
   * @param loader the loader of all classes in the stream
   * @return a stream for one thread and one message
   * @throws java.io.StreamCorruptedException if the input does not begin like an object stream
   * @throws IOException if the input cannot be read
   * @throws IllegalStateException if the JVM-wide filter or filter factory is not set up properly
   */
  public SafeObjectInputStream open(InputStream in, ClassLoader loader) throws IOException {
    return open(in, Objects.requireNonNull(loader), null);
  }

  /**
   * Opens a stream as {@link #open(InputStream, ClassLoader)}, with the loader of the class that
   * made the lookup.
   *
   * @param in the input; the stream owns and closes it
   * @param lookup {@code MethodHandles.lookup()} of the caller
   * @return a stream for one thread and one message
   * @throws IOException as {@link #open(InputStream, ClassLoader)}
   */
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
   * <strong>Allows every class</strong>, and writes a list to a file: the names that this policy
   * allows, and the names that the streams needed in addition. For tests and trusted input only:
   * input from outside could do whatever a deserialization attack can. Limits and the JVM-wide
   * filter still apply.
   *
   * @param file written when a stream that saw a new class is closed, and at the end
   * @return the learning policy, to be closed
   */
  public Learning learning(Path file) {
    return new Learning(this, file, null);
  }

  /**
   * Allows every class as {@link #learning(Path)}, and writes the list when the {@link Learning} is
   * closed.
   *
   * @param to receives the list; stays open
   * @return the learning policy, to be closed
   */
  public Learning learning(Appendable to) {
    return new Learning(this, null, to);
  }

  /**
   * Returns the value of one limit of this policy.
   *
   * @param limit which limit
   * @return its value, in the unit that {@link Limit} states
   */
  public long limit(Limit limit) {
    return limits.of(limit);
  }

  /**
   * Returns everything that is allowed in addition to what is always allowed. {@link #parse} reads
   * the text.
   *
   * @return sorted names, one per line
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

  /** Collects what a policy allows. For one thread. */
  public static final class Builder {
    final Set<String> classes = new HashSet<>();
    final Set<String> packages = new HashSet<>();
    final Set<String> proxies = new HashSet<>();
    final Set<String> lambdas = new HashSet<>();
    private final Map<Limit, Long> limits = new EnumMap<>(Limit.class);

    private Builder() {}

    /**
     * Allows these classes, enums, records and interfaces, and their serializable superclasses,
     * because their state is part of a stream. Does not allow subclasses.
     *
     * @param types the classes
     * @return this builder
     * @throws IllegalArgumentException if one is hidden, such as the class of a lambda
     */
    public Builder allow(Class<?>... types) {
      ClosedTypes named = new ClosedTypes(classes);
      for (Class<?> type : types) {
        named.add(type);
      }
      return this;
    }

    /**
     * Allows classes that the caller cannot refer to, such as {@code com.acme.Order$Line}. Does not
     * add superclasses.
     *
     * @param names binary names of classes
     * @return this builder
     * @throws IllegalArgumentException if one is not the name of a class
     */
    public Builder allowNames(String... names) {
      for (String name : names) {
        classes.add(AllowListText.name(name, "allowNames"));
      }
      return this;
    }

    /**
     * Allows all classes of a package, including nested classes and classes that are added later.
     * Does not allow subpackages.
     *
     * @param name the package
     * @return this builder
     * @throws IllegalArgumentException if it is not the name of a package
     */
    public Builder allowPackage(String name) {
      packages.add(AllowListText.name(name, "allowPackage"));
      return this;
    }

    /**
     * Allows sealed types and all their permitted subclasses, at every level. Allows the components
     * of records among them, as {@link #allowRecords} does. Of a non-sealed class, allows only the
     * class itself.
     *
     * @param roots sealed classes or interfaces
     * @return this builder
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
     * Allows records, and the program's types in their components and type arguments, if the sender
     * cannot extend them: records, enums, sealed and final types, at every level.
     *
     * @param records the records
     * @return this builder
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
     * Allows the lists, sets, maps and entries of {@code java.util} that are made by {@code new},
     * {@code of}, {@code copyOf}, {@code Arrays.asList} and the empty, singleton, unmodifiable and
     * synchronized wrappers of {@code Collections}. Allows {@code EnumSet}, {@code EnumMap}, and
     * the comparators {@code reverseOrder} and {@code CASE_INSENSITIVE_ORDER}. Does not allow
     * {@code Vector}, {@code Hashtable}, {@code PriorityQueue} and {@code nCopies}.
     *
     * @return this builder
     */
    public Builder allowCollections() {
      classes.addAll(JdkTypes.COLLECTIONS);
      return this;
    }

    /**
     * Allows {@code ConcurrentHashMap}, {@code ConcurrentSkipListMap}, {@code
     * ConcurrentSkipListSet}, {@code CopyOnWriteArrayList}, {@code CopyOnWriteArraySet}, {@code
     * ConcurrentLinkedQueue} and {@code ConcurrentLinkedDeque}.
     *
     * @return this builder
     */
    public Builder allowConcurrentCollections() {
      classes.addAll(JdkTypes.CONCURRENT_COLLECTIONS);
      return this;
    }

    /**
     * Allows proxies whose interfaces are all among these. Their invocation handler must be allowed
     * too, and is called for every method: allow only handlers that were written for this. The
     * sender can make a proxy class for each combination and order of the interfaces, and the
     * loader keeps each of them: name three, not ten.
     *
     * @param interfaces the interfaces
     * @return this builder
     * @throws IllegalArgumentException if one is not an interface
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
     * Allows serializable lambdas and method references written in these classes. The sender
     * chooses their captured arguments. The classes themselves become allowed, because lambdas
     * refer to them.
     *
     * @param writtenIn the classes whose source contains the lambdas
     * @return this builder
     */
    public Builder allowLambdas(Class<?>... writtenIn) {
      for (Class<?> type : writtenIn) {
        lambdas.add(type.getName());
      }
      return this;
    }

    /**
     * Allows the classes in a file of the form of {@link #allowedNames}.
     *
     * @param allowList the file
     * @return this builder
     * @throws IOException if it cannot be read
     * @throws IllegalArgumentException if a line is not a name; the message has the line number
     */
    public Builder allowFrom(Path allowList) throws IOException {
      AllowListText.parse(Files.readString(allowList), allowList.toString(), this);
      return this;
    }

    /**
     * Sets {@link Limit#DEPTH}.
     *
     * @param depth the limit
     * @return this builder
     */
    public Builder maxDepth(long depth) {
      return max(Limit.DEPTH, depth);
    }

    /**
     * Sets {@link Limit#REFERENCES}.
     *
     * @param references the limit
     * @return this builder
     */
    public Builder maxReferences(long references) {
      return max(Limit.REFERENCES, references);
    }

    /**
     * Sets {@link Limit#ARRAY_LENGTH}.
     *
     * @param elements the limit
     * @return this builder
     */
    public Builder maxArrayLength(long elements) {
      return max(Limit.ARRAY_LENGTH, elements);
    }

    /**
     * Sets {@link Limit#BYTES}.
     *
     * @param bytes the limit
     * @return this builder
     */
    public Builder maxBytes(long bytes) {
      return max(Limit.BYTES, bytes);
    }

    /**
     * Sets {@link Limit#EXPANSION}. With {@code Long.MAX_VALUE} collections are not weighed: {@link
     * #maxWork} then counts each collection as one step and does not bound the cost of hashing it.
     *
     * @param elements the limit
     * @return this builder
     */
    public Builder maxExpansion(long elements) {
      return max(Limit.EXPANSION, elements);
    }

    /**
     * Sets {@link Limit#WORK}.
     *
     * @param steps the limit
     * @return this builder
     */
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

    /**
     * Makes the policy. The builder can be used for another one afterwards.
     *
     * @return a new policy
     */
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
