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
 * A list of the classes that object streams may contain, with limits on the size and cost of a
 * stream. Make one constant for each kind of message.
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
 * <p>Every policy allows these classes:
 *
 * <ul>
 *   <li>strings, primitives and their boxes, {@code BigInteger}, {@code BigDecimal}, {@code
 *       MathContext}, {@code RoundingMode}, {@code Date} and {@code UUID};
 *   <li>the values of {@code java.time}, {@code ChronoUnit} and {@code TimeUnit};
 *   <li>{@code Object}, {@code Number} and {@code Enum} as superclasses, and {@code Map.Entry};
 *   <li>arrays of allowed classes.
 * </ul>
 *
 * <p>Every other class must be named. A subclass of an allowed class is not allowed unless it is
 * named, too.
 *
 * <p>A policy has names, not classes: the loader that is passed to {@link #open} decides which
 * class a name means.
 *
 * <p>Policies are immutable. All threads can share them, and they keep no class loader reachable.
 */
public final class StreamPolicy {
  private final AllowList allowList;
  private final Limits limits;

  private StreamPolicy(Builder builder) {
    allowList = new AllowList(builder.classes, builder.packages, builder.proxies, builder.lambdas);
    limits = new Limits(builder.limits);
  }

  /**
   * Starts a policy that allows these classes and their serializable superclasses. See {@link
   * Builder#allow}.
   *
   * @param types classes, enums, records or interfaces
   * @return a new builder
   * @throws IllegalArgumentException if a class is hidden, such as the class of a lambda
   */
  public static Builder allow(Class<?>... types) {
    return builder().allow(types);
  }

  /**
   * Starts a policy that allows only the classes that every policy allows.
   *
   * @return a new builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Makes a policy from an allow list, with the default limits. To combine a list with other
   * settings, use {@link Builder#allowFrom}.
   *
   * @param allowList text as {@link #allowedNames} returns it and {@link Learning} writes it
   * @return a new policy
   * @throws IllegalArgumentException if a line is not a name; the message has the line number
   */
  public static StreamPolicy parse(String allowList) {
    Builder builder = builder();
    AllowListText.parse(allowList, "allow list", builder);
    return builder.build();
  }

  /**
   * Opens a stream and reads its header. The stream finds classes only through {@code loader}.
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
   * Opens a stream as {@link #open(InputStream, ClassLoader)} does. Its loader is that of the class
   * that made the lookup.
   *
   * @param in the input; the stream owns and closes it. If this method throws, the input stays open
   *     and belongs to the caller
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
    return new SafeObjectInputStream(in, this, loader, learning);
  }

  /**
   * Starts learn mode, which <strong>allows every class</strong> and writes an allow list to a
   * file. The list has the names that this policy allows, and the names that the streams needed in
   * addition. Use it only for tests and trusted input: input from outside could run any
   * deserialization attack. Limits and the JVM-wide filter still apply.
   *
   * @param file the list; written each time a stream that needed a new name is closed, and when the
   *     {@link Learning} is closed. An existing file is replaced
   * @return the policy in learn mode, which the caller closes
   */
  public Learning learning(Path file) {
    return new Learning(this, file, null);
  }

  /**
   * Starts learn mode as {@link #learning(Path)} does, which <strong>allows every class</strong>.
   * The list is written once, when the {@link Learning} is closed.
   *
   * @param to receives the list; stays open
   * @return the policy in learn mode, which the caller closes
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
   * Returns the allow list of this policy as text, without the classes that every policy allows.
   * {@link #parse} reads the text.
   *
   * @return a comment, then sorted names, one per line
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

  /** Collects the allowed classes and the limits of a policy. Not thread-safe. */
  public static final class Builder {
    final Set<String> classes = new HashSet<>();
    final Set<String> packages = new HashSet<>();
    final Set<String> proxies = new HashSet<>();
    final Set<String> lambdas = new HashSet<>();
    private final Map<Limit, Long> limits = new EnumMap<>(Limit.class);

    private Builder() {}

    /**
     * Allows these classes, enums, records and interfaces. Also allows their serializable
     * superclasses, because a stream contains their fields, too. Does not allow subclasses. For an
     * array class, allows the class of its elements.
     *
     * @param types the classes
     * @return this builder
     * @throws IllegalArgumentException if a class is hidden, such as the class of a lambda
     */
    public Builder allow(Class<?>... types) {
      ClosedTypes named = new ClosedTypes(classes);
      for (Class<?> type : types) {
        named.add(type);
      }
      return this;
    }

    /**
     * Allows classes by name, for classes that the caller cannot refer to. Does not add
     * superclasses.
     *
     * @param names binary names of classes, such as {@code com.acme.Order$Line}
     * @return this builder
     * @throws IllegalArgumentException if a name is not a valid class name
     */
    public Builder allowNames(String... names) {
      for (String name : names) {
        classes.add(AllowListText.name(name, "allowNames"));
      }
      return this;
    }

    /**
     * Allows all classes of a package, including nested classes and classes that are added to it
     * later. Does not allow subpackages.
     *
     * @param name the package, such as {@code com.acme.model}
     * @return this builder
     * @throws IllegalArgumentException if {@code name} is not a valid package name
     */
    public Builder allowPackage(String name) {
      packages.add(AllowListText.name(name, "allowPackage"));
      return this;
    }

    /**
     * Allows sealed types and all their permitted subclasses, at every level. If one of these is a
     * record, also allows its component types, as {@link #allowRecords} does. If one of these is
     * {@code non-sealed}, does not allow what extends it.
     *
     * @param roots sealed classes or interfaces
     * @return this builder
     * @throws IllegalArgumentException if a type is not sealed
     */
    public Builder allowSealed(Class<?>... roots) {
      ClosedTypes named = new ClosedTypes(classes);
      for (Class<?> root : roots) {
        named.addSealed(root);
      }
      return this;
    }

    /**
     * Allows records. Also allows the types of their components and the type arguments of these
     * types, at every level. This covers only types outside the JDK that are records, enums, sealed
     * types or final classes. Allow every other component type with another method of this builder.
     *
     * @param records the records
     * @return this builder
     * @throws IllegalArgumentException if a class is not a record
     */
    public Builder allowRecords(Class<?>... records) {
      ClosedTypes named = new ClosedTypes(classes);
      for (Class<?> record : records) {
        named.addRecord(record);
      }
      return this;
    }

    /**
     * Allows most lists, sets and maps of {@code java.util}, and the comparators {@code
     * reverseOrder} and {@code CASE_INSENSITIVE_ORDER}:
     *
     * <ul>
     *   <li>{@code ArrayList}, {@code LinkedList}, {@code ArrayDeque}, {@code HashMap}, {@code
     *       LinkedHashMap}, {@code TreeMap}, {@code HashSet}, {@code LinkedHashSet}, {@code
     *       TreeSet}, {@code EnumMap}, {@code EnumSet}, and the two classes of entries in {@code
     *       AbstractMap};
     *   <li>the results of {@code of} and {@code copyOf}, and of {@code Arrays.asList};
     *   <li>of {@code Collections}, the empty and singleton lists, sets and maps, the unmodifiable
     *       wrappers, and the synchronized wrappers.
     * </ul>
     *
     * <p>Does not allow other collections. Examples are {@code Vector}, {@code Hashtable}, {@code
     * IdentityHashMap}, {@code PriorityQueue}, {@code nCopies}, the checked wrappers, and the empty
     * or synchronized wrappers of sorted sets and maps.
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
     * Allows proxies that implement only these interfaces. The class of their invocation handler
     * must be allowed, too. The handler receives every call of the proxy, so allow only handlers
     * that were written for untrusted data.
     *
     * <p>Name few interfaces: three, not ten. The sender can make a proxy class for each
     * combination and order of them, and the loader keeps all these classes.
     *
     * @param interfaces the interfaces
     * @return this builder
     * @throws IllegalArgumentException if a class is not an interface
     */
    public Builder allowProxies(Class<?>... interfaces) {
      for (Class<?> type : interfaces) {
        if (!type.isInterface()) {
          throw new IllegalArgumentException(
              type.getName() + ": is not an interface; a proxy implements only interfaces");
        }
        proxies.add(type.getName());
      }
      return this;
    }

    /**
     * Allows serializable lambdas and method references that are written in these classes. The
     * sender chooses their captured arguments. Also allows the classes themselves, because a
     * serialized lambda refers to its class.
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
     * Allows the classes in an allow list, in the format that {@link #allowedNames} returns.
     *
     * @param allowList the file
     * @return this builder
     * @throws IOException if the file cannot be read
     * @throws IllegalArgumentException if a line is not a name; the message has the line number
     */
    public Builder allowFrom(Path allowList) throws IOException {
      AllowListText.parse(Files.readString(allowList), allowList.toString(), this);
      return this;
    }

    /**
     * Sets {@link Limit#DEPTH}.
     *
     * @param depth the limit, in levels; {@code Long.MAX_VALUE} for none
     * @return this builder
     * @throws IllegalArgumentException if the limit is negative
     */
    public Builder maxDepth(long depth) {
      return max(Limit.DEPTH, depth);
    }

    /**
     * Sets {@link Limit#REFERENCES}.
     *
     * @param references the limit; {@code Long.MAX_VALUE} for none
     * @return this builder
     * @throws IllegalArgumentException if the limit is negative
     */
    public Builder maxReferences(long references) {
      return max(Limit.REFERENCES, references);
    }

    /**
     * Sets {@link Limit#ARRAY_LENGTH}.
     *
     * @param elements the limit, in elements; {@code Long.MAX_VALUE} for none
     * @return this builder
     * @throws IllegalArgumentException if the limit is negative
     */
    public Builder maxArrayLength(long elements) {
      return max(Limit.ARRAY_LENGTH, elements);
    }

    /**
     * Sets {@link Limit#BYTES}.
     *
     * @param bytes the limit, in bytes; {@code Long.MAX_VALUE} for none
     * @return this builder
     * @throws IllegalArgumentException if the limit is negative
     */
    public Builder maxBytes(long bytes) {
      return max(Limit.BYTES, bytes);
    }

    /**
     * Sets {@link Limit#EXPANSION}. {@code Long.MAX_VALUE} switches the counting of elements off.
     * The other limits then do not see what collections contain: {@link #maxWork} counts each
     * collection as one step, whatever hashing it costs, and {@link #maxDepth} does not see
     * references between collections.
     *
     * @param elements the limit, in elements; {@code Long.MAX_VALUE} for none
     * @return this builder
     * @throws IllegalArgumentException if the limit is negative
     */
    public Builder maxExpansion(long elements) {
      return max(Limit.EXPANSION, elements);
    }

    /**
     * Sets {@link Limit#WORK}.
     *
     * @param steps the limit, in steps; {@code Long.MAX_VALUE} for none
     * @return this builder
     * @throws IllegalArgumentException if the limit is negative
     */
    public Builder maxWork(long steps) {
      return max(Limit.WORK, steps);
    }

    private Builder max(Limit limit, long figure) {
      if (figure < 0) {
        throw new IllegalArgumentException(
            "%s %s: is negative; to switch the limit off, use Long.MAX_VALUE"
                .formatted(limit.setting(), figure));
      }
      limits.put(limit, figure);
      return this;
    }

    /**
     * Makes the policy. The builder can be used again: later changes do not affect this policy.
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
