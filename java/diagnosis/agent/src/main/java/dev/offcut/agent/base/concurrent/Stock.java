package dev.offcut.agent.base.concurrent;

import java.io.File;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Stand-ins: what the helpers see of the JDK, where those that they run beside cannot be compiled
 * against. None is ever loaded: the build replaces each name by the one of the class it stands for.
 */
public final class Stock {
  private Stock() {}

  /** Stands for {@code jdk.internal.loader.NativeLibraries}. */
  public abstract static class Libraries {
    /** Those of a class loader, from JDK 21 on. */
    public static native Libraries newInstance(@Nullable ClassLoader loader);

    /** The same of JDK 17. */
    public static native Libraries jniNativeLibraries(@Nullable ClassLoader loader);

    /** Loads one for a class of that loader; null if there is no such file. */
    public abstract @Nullable Library loadLibrary(Class<?> from, File file);
  }

  /** Stands for {@code jdk.internal.loader.NativeLibrary}. */
  public abstract static class Library {}

  /** Stands for {@code jdk.internal.perf.Perf}. */
  public abstract static class Perf {
    /** The only one. */
    public static native Perf getPerf();

    /** The counters of a JVM, from JDK 21 on; 0: of this one. */
    public abstract ByteBuffer attach(int pid) throws IOException;

    /** The same of JDK 17. */
    public abstract ByteBuffer attach(int pid, String mode) throws IOException;
  }

  /** Stands for {@code jdk.internal.misc.VM}. */
  public static final class Vm {
    private Vm() {}

    /** What the JVM was given, wherever from; null if that is nothing. */
    public static native String @Nullable [] getRuntimeArguments();

    /** How many unreachable objects wait for their finalizers. */
    public static native int getFinalRefCount();
  }

  /** Stands for {@code jdk.internal.misc.Unsafe}. */
  public abstract static class Unsafe {
    /** The only one. */
    public static native Unsafe getUnsafe();

    /** Where the elements of an array begin. */
    public abstract int arrayBaseOffset(Class<?> array);

    /** Whether a class is still to be initialized. */
    public abstract boolean shouldBeInitialized(Class<?> type);

    /** Adds atomically; what was there before. */
    public abstract long getAndAddLong(Object object, long offset, long delta);

    /** Replaces a number if it is as expected. */
    public abstract boolean compareAndSetLong(
        Object object, long offset, long expected, long value);

    /** Replaces a reference if it is as expected. */
    public abstract boolean compareAndSetReference(
        Object object, long offset, @Nullable Object expected, @Nullable Object value);

    /** Replaces a number; what was there before. */
    public abstract long getAndSetLong(Object object, long offset, long value);

    /** Where a field is. */
    public abstract long objectFieldOffset(Class<?> type, String field);

    /** Reads a number from an object, or from memory. */
    public abstract long getLong(@Nullable Object object, long offset);

    /** Likewise. */
    public abstract int getInt(@Nullable Object object, long offset);

    /** Likewise. */
    public abstract byte getByte(@Nullable Object object, long offset);

    /** Reads a reference from an object. */
    public abstract @Nullable Object getReference(Object object, long offset);

    /** Gives a block another size, and mostly another address. */
    public abstract long reallocateMemory(long address, long bytes);
  }

  /** Stands for {@code jdk.internal.misc.Unsafe}, where a method has got another type over time. */
  public abstract static class Arrays {
    /** The only one. */
    public static native Arrays getUnsafe();

    /** Where the elements of an array begin. */
    public abstract long arrayBaseOffset(Class<?> array);
  }

  /** Stands for {@code jdk.internal.misc.Unsafe}, for fields that nobody shows. */
  public abstract static class Fields {
    /** The only one. */
    public static native Fields getUnsafe();

    /** Where a field is. */
    public abstract long objectFieldOffset(Class<?> type, String field);

    /** Reads a field. */
    public abstract @Nullable Object getReference(Object object, long offset);
  }

  /** Stands for {@code java.util.concurrent.ThreadLocalRandom}. */
  public abstract static class Random {
    private Random() {}

    /** A number that threads differ in; 0: it has none yet. */
    public static native int getProbe();

    /** Gives the thread one. */
    public static native void localInit();
  }

  /** Stands for {@code jdk.internal.ref.CleanerFactory}. */
  public static final class Cleaners {
    private Cleaners() {}

    /** The JDK's own. */
    public static native Cleaner cleaner();
  }

  /** Stands for {@code sun.nio.Cleaner}, which a direct buffer has from JDK 26 on. */
  public interface BufferCleaner {
    /** Frees the buffer's memory, once. */
    void clean();
  }

  /** Stands for {@code java.lang.foreign.MemorySegment}, which is not there before JDK 22. */
  public interface Segment {
    /** Where it begins. */
    long address();

    /** Whether it is outside of the heap. */
    boolean isNative();

    /** How long it lives. */
    Scope scope();

    /** Whether a thread may use it. */
    boolean isAccessibleBy(Thread thread);
  }

  /** Stands for {@code java.lang.foreign.MemorySegment$Scope}. */
  public interface Scope {
    /** Whether its memory may still be used. */
    boolean isAlive();
  }

  /** Stands for {@code java.lang.foreign.SymbolLookup}. */
  public interface Symbols {
    /** A function, by name. */
    Optional<Segment> find(String name);
  }

  /** Stands for {@code java.lang.foreign.Linker}. */
  @SuppressWarnings("DoNotCallSuggester") // an interface has no native methods
  public interface Linker {
    /** The one of this system. */
    static Linker nativeLinker() {
      throw new AssertionError("a stand-in runs");
    }

    /** What is in C's library. */
    Symbols defaultLookup();

    /** A handle that calls a function. */
    MethodHandle downcallHandle(Segment symbol, Descriptor type, Option... options);

    /** A handle that calls the function that it is given. */
    MethodHandle downcallHandle(Descriptor type, Option... options);
  }

  /** Stands for {@code java.lang.foreign.Linker$Option}. */
  public interface Option {}

  /** Stands for {@code java.lang.foreign.MemoryLayout}. */
  public interface Layout {}

  /** Stands for {@code java.lang.foreign.ValueLayout$OfLong}. */
  public interface LongLayout extends Layout {}

  /** Stands for {@code java.lang.foreign.ValueLayout}. */
  public interface Layouts {
    /** A number of 64 bits. */
    LongLayout JAVA_LONG = number();

    /** Never called. */
    private static LongLayout number() {
      throw new AssertionError("a stand-in runs");
    }
  }

  /** Stands for {@code java.lang.foreign.FunctionDescriptor}. */
  @SuppressWarnings("DoNotCallSuggester") // an interface has no native methods
  public interface Descriptor {
    /** The type of a function that returns something. */
    static Descriptor of(Layout returned, Layout... parameters) {
      throw new AssertionError("a stand-in runs");
    }

    /** The type of one that returns nothing. */
    static Descriptor ofVoid(Layout... parameters) {
      throw new AssertionError("a stand-in runs");
    }
  }
}
