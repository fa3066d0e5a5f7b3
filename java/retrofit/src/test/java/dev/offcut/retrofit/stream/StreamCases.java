package dev.offcut.retrofit.stream;

import dev.offcut.retrofit.stream.Fixtures.Step;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The program of the loader cases: reads streams, and prints what came of it with the names of the
 * class loaders. What it prints must be the same with and without the agent, to the byte.
 */
public final class StreamCases {
  /** All that a loader of the cases may have a copy of. */
  private static final Class<?>[] ALL = {
    Fixtures.ReadOne.class,
    Fixtures.ReadUnshared.class,
    Fixtures.Reference.class,
    Fixtures.Reflective.class,
    Fixtures.Plain.class,
    Fixtures.Other.class,
    Fixtures.Third.class,
    Fixtures.Fourth.class
  };

  static final String CASE = "case ";
  static final String END = "end";

  private static final MethodHandle READ = read();

  /** The stream that callbacks read on from; null: they do not. */
  static volatile @Nullable ObjectInputStream leaked;

  private static volatile @Nullable Function<ObjectInputStream, Callable<?>> other;

  private StreamCases() {}

  private static MethodHandle read() {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(ObjectInputStream.class, "readObject", MethodType.methodType(Object.class));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  /** The argument: a published case. Without it, all cases one after the other. */
  public static void main(String[] args) throws Exception {
    if (args.length == 1) {
      run(args[0], PublishedCase.valueOf(args[0]).what);
      return;
    }
    for (LoaderCase one : LoaderCase.values()) {
      run(one.name(), one.what);
    }
    for (CollectionCase one : CollectionCase.values()) {
      run(one.name(), one.what);
    }
    for (PublishedCase one : PublishedCase.values()) {
      run(one.name(), one.what);
    }
  }

  /** Prints what a case prints, between its name and an end. */
  private static void run(String name, Case what) throws Exception {
    System.out.println(CASE + name);
    leaked = null;
    what.run();
    System.out.println(END);
  }

  /** What is read, and by whom. */
  interface Case {
    void run() throws Exception;
  }

  /** A loader with copies of the usual classes and of these. */
  static CaseLoader loader(String name, Class<?>... more) {
    Class<?>[] own = Arrays.copyOf(ALL, ALL.length + more.length);
    System.arraycopy(more, 0, own, ALL.length, more.length);
    return new CaseLoader(name, own);
  }

  static Step step(ClassLoader loader, Class<? extends Step> type) throws Exception {
    return (Step) loader.loadClass(type.getName()).getConstructor().newInstance();
  }

  static byte[] write(Object... objects) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      for (Object object : objects) {
        out.writeObject(object);
      }
    }
    return bytes.toByteArray();
  }

  /** A stream of these, which prints the classes that it finds. */
  static ObjectInputStream open(Object... objects) throws IOException {
    return logging(new ObjectInputStream(bytes(objects)));
  }

  static <T extends ObjectInputStream> T logging(T stream) {
    stream.setObjectInputFilter(logging());
    return leak(stream);
  }

  static InputStream bytes(Object... objects) throws IOException {
    return new ByteArrayInputStream(write(objects));
  }

  static <T extends ObjectInputStream> T leak(T stream) {
    leaked = stream;
    return stream;
  }

  /** Lets a callback read on from the stream that leaked, with its own code; not within that. */
  public static void again(String what, Step reads) {
    ObjectInputStream stream = leaked;
    if (stream != null) {
      leaked = null;
      attempt(what, () -> reads.read(stream));
      leaked = stream;
    }
  }

  /** Reads, and prints what was read or why not. */
  public static void attempt(String what, Callable<Object> reads) {
    Object read;
    try {
      read = reads.call();
    } catch (Throwable e) {
      System.out.println(what + " " + Description.problem(e));
      return;
    }
    log(what, read);
  }

  /** Prints an object with all that it holds. */
  public static void log(String what, Object object) {
    System.out.println(what + ' ' + Description.of(object));
  }

  /** Reads on, on a thread of its own, as was said. */
  public static void onOtherThread(ObjectInputStream in) {
    Callable<?> reads = Objects.requireNonNull(other).apply(in);
    attempt("other thread", () -> onThread(reads));
  }

  static void otherReads(Function<ObjectInputStream, Callable<?>> reads) {
    other = reads;
  }

  /** Calls readObject, all of it in the JDK. */
  static Callable<?> alone(ObjectInputStream in) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    // JDK 17 makes a Proxy class of this loader.
    thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
    try {
      return MethodHandleProxies.asInterfaceInstance(Callable.class, READ.bindTo(in));
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  static Object onThread(Callable<?> reads) throws Exception {
    FutureTask<?> task = new FutureTask<>(reads);
    Thread thread = new Thread(task);
    thread.start();
    return task.get();
  }

  static Object proxy(ClassLoader loader, InvocationHandler handler, Class<?>... types) {
    return Proxy.newProxyInstance(loader, types, handler);
  }

  /** Prints what classes a stream finds, also those of objects that nobody gets to see. */
  private static ObjectInputFilter logging() {
    return info -> {
      Class<?> type = info.serialClass();
      if (type != null) {
        System.out.println("filter " + Description.type(type));
      }
      return ObjectInputFilter.Status.UNDECIDED;
    };
  }
}
