package dev.offcut.objectstream;

import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamException;
import java.io.StreamCorruptedException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * An ObjectInputStream that reads only what its {@link StreamPolicy} allows. {@link
 * StreamPolicy#open} makes one.
 *
 * <p>The stream finds classes with the loader that was passed to {@code open}. If a lookup was
 * passed, this is the loader of the class that made the lookup. The stream never looks for the
 * loader of its caller. The stream checks the name of a class before it loads the class. Before it
 * creates an object, the JVM-wide filter and the policy check the class, and the stream checks the
 * limits. A refusal ends the stream: later reads of objects fail with the same refusal.
 *
 * <p>A stream is for one thread. Closing the stream closes the input. Do not use the stream after
 * it threw an exception.
 *
 * <p>Not guaranteed:
 *
 * <ul>
 *   <li>The stream does not make an allowed class safe against the data that the class receives.
 *   <li>The stream has no timeout. Its limits bound the work of the JDK's classes and of records.
 *   <li>Code to which you pass this stream can read everything that the policy allows.
 *   <li>{@link #readObject()} without a type passes on an unchecked exception if the code of a
 *       class in the stream throws it.
 *   <li>Both read methods pass on an Error that such code throws, such as a failed initializer.
 * </ul>
 */
public final class SafeObjectInputStream extends ObjectInputStream {
  /** How the message of an ObjectInputStream begins when a filter has rejected. */
  private static final String REJECTED = "filter status: ";

  /**
   * How much of maxDepth a dimension takes: eight dimensions are as deep as may be. A name of 254
   * makes as many classes, of some KiB each, which stay as long as the loader.
   */
  private static final int DEPTH_A_DIMENSION = 8;

  /** Of proxies of which only the class is wanted. */
  private static final InvocationHandler NOBODY = (proxy, method, arguments) -> null;

  private final Limits limits;
  private final Gate gate;
  private final StreamFilter filter;
  private final Nesting nesting;
  private final @Nullable ClassLoader loader;
  private final @Nullable Learning learning;
  private String resolved = "(no class yet)";
  private @Nullable ClassNotFoundException missing;
  private long objects;
  private long fields;

  SafeObjectInputStream(
      InputStream in,
      StreamPolicy policy,
      @Nullable ClassLoader loader,
      @Nullable Learning learning)
      throws IOException {
    this(new Budget(in, policy.limits()), policy, loader, learning);
  }

  private SafeObjectInputStream(
      Budget budget, StreamPolicy policy, @Nullable ClassLoader loader, @Nullable Learning learning)
      throws IOException {
    super(budget);
    this.loader = loader;
    this.learning = learning;
    limits = policy.limits();
    gate = new Gate(policy.allowList(), learning);
    nesting = budget.nesting();
    Claims claims = new Claims(limits, budget);
    // The default factory replaces the JVM-wide filter by a stream's; so this one asks it.
    filter = new StreamFilter(getObjectInputFilter(), gate, limits, claims, nesting);
    setObjectInputFilter(filter);
    enableResolveObject(true);
  }

  /**
   * Reads the next object, which must be an instance of {@code type}. This method checks the type
   * after it has read the object: the policy alone decides which objects are created while reading.
   *
   * @param type the expected class or interface; it must come from the loader of this stream
   * @param <T> the expected type
   * @return the object, never null; {@link #readObject()} can also return null
   * @throws RefusedClassException if a class, a proxy or a lambda is not allowed
   * @throws StreamLimitException if the stream exceeds a limit
   * @throws RootTypeException if the object is null or not an instance of {@code type}
   * @throws ClassNotFoundException if the loader does not find an allowed class
   * @throws StreamCorruptedException if the bytes are not an object stream, or if a class threw an
   *     unchecked exception, which is the cause
   * @throws IOException if {@link #readObject()} throws one for another reason, such as an early
   *     end of the input
   * @throws IllegalArgumentException if {@code type} is primitive
   */
  public <T> T readObject(Class<T> type) throws IOException, ClassNotFoundException {
    if (type.isPrimitive()) {
      throw new IllegalArgumentException(
          type
              + ": an object is never primitive; ask for the box class, such as Integer.class, or"
              + " call a method such as readInt()");
    }
    Object root = readRoot();
    if (root == null || !type.isInstance(root)) {
      throw new RootTypeException(root, type);
    }
    return type.cast(root);
  }

  private @Nullable Object readRoot() throws IOException, ClassNotFoundException {
    try {
      Object root = readObject();
      filter.verifyAsked();
      return root;
    } catch (IOException e) {
      if (missing != null) {
        throw missing;
      }
      throw explained(e);
    } catch (RuntimeException | InternalError e) { // Map.of has an InternalError for odd lengths
      StreamCorruptedException corrupted =
          new StreamCorruptedException("the stream makes a class throw: " + e);
      corrupted.initCause(e);
      throw explained(corrupted);
    } catch (StackOverflowError e) {
      throw filter.refuse(
          new StreamLimitException(
              Limit.DEPTH,
              limits.of(Limit.DEPTH),
              "the stack overflowed: objects contain themselves where they are hashed or compared,"
                  + " or lie too deep for this thread; if the stream is as it should be, read it on"
                  + " a thread with a larger stack, else refuse whoever sent it"));
    }
  }

  /** What was refused, instead of what came of that, or of the words a filter is wrapped in. */
  private IOException explained(IOException thrown) {
    ObjectStreamException refused = filter.refusal();
    if (refused != null) {
      return refused;
    }
    if (thrown instanceof InvalidClassException
        && String.valueOf(thrown.getMessage()).startsWith(REJECTED)) {
      RefusedClassException rejected =
          new RefusedClassException(
              resolved,
              "rejected by the filter that the JVM-wide filter factory made, at this class or"
                  + " after it; no policy can allow it: see jdk.serialFilterFactory");
      return (IOException) rejected.initCause(thrown);
    }
    return thrown;
  }

  @Override
  protected ObjectStreamClass readClassDescriptor() throws IOException, ClassNotFoundException {
    filter.verifyAsked();
    ObjectStreamClass descriptor;
    nesting.beginDescriptor();
    try {
      descriptor = super.readClassDescriptor();
    } finally {
      nesting.endDescriptor();
    }
    fields += descriptor.getFields().length; // they take room, and no filter sees them
    try {
      limits.check(Limit.REFERENCES, fields, "fields of class descriptors");
    } catch (StreamLimitException e) {
      throw filter.refuse(e);
    }
    return descriptor;
  }

  @Override
  protected Class<?> resolveClass(ObjectStreamClass descriptor)
      throws IOException, ClassNotFoundException {
    filter.verifyAsked();
    resolved = descriptor.getName();
    ClassName name = ClassName.of(resolved);
    if (name == null) {
      throw filter.refuse(new RefusedClassException(resolved, "is not the name of a class"));
    }
    try {
      gate.checkName(name);
      checkDimensions(name);
    } catch (ObjectStreamException e) {
      throw filter.refuse(e);
    }
    filter.await();
    try {
      Class<?> type = find(name);
      nesting.describe(descriptor, type);
      return type;
    } catch (ClassNotFoundException e) {
      throw missing(e);
    } catch (ObjectStreamException e) {
      throw filter.refuse(e);
    }
  }

  private Class<?> find(ClassName name) throws ClassNotFoundException {
    Class<?> primitive = name.primitive();
    return name.arrayOf(primitive != null ? primitive : load(name.element()));
  }

  /** A class that is neither primitive nor an array, not initialized by this. */
  private Class<?> load(String element) throws ClassNotFoundException {
    try {
      return Class.forName(element, false, loader);
    } catch (LinkageError e) { // such as a name in another case, on a disk that takes both
      throw new ClassNotFoundException(
          ClassName.printable(element)
              + ": the loader found a class file of this name, but the JVM cannot load it",
          e);
    }
  }

  /** Each array class that is named is made, and stays as long as its loader. */
  private void checkDimensions(ClassName name) throws StreamLimitException {
    if (name.dimensions() > 1) {
      limits.check(
          Limit.DEPTH,
          (long) DEPTH_A_DIMENSION * name.dimensions(),
          "depth of an array class, each of its dimensions counted as 8");
    }
  }

  @Override
  protected Class<?> resolveProxyClass(String[] interfaces)
      throws IOException, ClassNotFoundException {
    filter.verifyAsked();
    resolved = interfaces.length == 0 ? JdkTypes.PROXY : interfaces[0];
    try {
      gate.checkProxy(interfaces);
    } catch (ObjectStreamException e) {
      throw filter.refuse(e);
    }
    filter.await();
    try {
      Class<?> type = proxyClass(interfaces);
      nesting.describeProxy(type);
      return type;
    } catch (ClassNotFoundException e) {
      throw missing(e);
    } catch (ObjectStreamException e) {
      throw filter.refuse(e);
    }
  }

  private Class<?> proxyClass(String[] interfaces) throws ClassNotFoundException {
    Class<?>[] found = new Class<?>[interfaces.length];
    ClassLoader definer = loader;
    for (int i = 0; i < interfaces.length; i++) {
      found[i] = load(interfaces[i]);
      if (!Modifier.isPublic(found[i].getModifiers())) {
        definer = found[i].getClassLoader(); // only there can it be implemented
      }
    }
    try {
      return Proxy.newProxyInstance(definer, found, NOBODY).getClass();
    } catch (IllegalArgumentException e) {
      throw new ClassNotFoundException("no proxy of these interfaces: " + e.getMessage(), e);
    }
  }

  /**
   * Ends the stream too. An ObjectInputStream would read over an object without a class, and call
   * {@link #resolveObject} for none of those around it, so that nobody could follow.
   */
  private ClassNotFoundException missing(ClassNotFoundException e) {
    missing = e;
    InvalidClassException refused =
        new InvalidClassException(
            ClassName.printable(resolved), "allowed, but not found by the class loader given");
    refused.initCause(e);
    filter.refuse(refused);
    return e;
  }

  /**
   * Checks the limits and returns its argument. ObjectInputStream passes strings and complete
   * collections to no other method.
   */
  @Override
  protected @Nullable Object resolveObject(@Nullable Object object) throws IOException {
    filter.verifyAsked();
    objects++;
    try {
      limits.check(Limit.REFERENCES, objects, "objects");
      nesting.read(object);
      return object;
    } catch (ObjectStreamException e) {
      throw filter.refuse(e);
    }
  }

  @Override
  public void close() throws IOException {
    super.close();
    if (learning != null) {
      learning.streamClosed();
    }
  }
}
