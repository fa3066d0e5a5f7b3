package dev.offcut.agent.track;

import java.lang.ref.Cleaner;
import org.jspecify.annotations.Nullable;

/**
 * Stand-ins: what the helpers see of the JDK, where those that they run beside cannot be compiled
 * against. None is ever loaded: each name is replaced by the one of the class it stands for.
 */
final class Stock {
  private Stock() {}

  /** Stands for {@code jdk.internal.misc.VM}. */
  public static final class Vm {
    private Vm() {}

    /** What the JVM was given, wherever from; null if that is nothing. */
    public static native String @Nullable [] getRuntimeArguments();
  }

  /** Stands for {@code jdk.internal.misc.Unsafe}. */
  public abstract static class Unsafe {
    /** The only one. */
    public static native Unsafe getUnsafe();

    /** Where the elements of an array begin. */
    public abstract int arrayBaseOffset(Class<?> array);

    /** How far they are from each other. */
    public abstract int arrayIndexScale(Class<?> array);

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

    /** Gives a block another size, and mostly another address. */
    public abstract long reallocateMemory(long address, long bytes);

    /** Reads, after all that was written before the number was. */
    public abstract long getLongAcquire(Object object, long offset);

    /** Writes, after all that was written before. */
    public abstract void putLongRelease(Object object, long offset, long value);
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

  /** Stands for {@code java.lang.foreign.Arena}, which is not there before JDK 22. */
  @SuppressWarnings("DoNotCallSuggester") // an interface has no native methods
  public interface Arena {
    /** One for this thread. */
    static Arena ofConfined() {
      throw new AssertionError("a stand-in runs");
    }

    /** One for all threads. */
    static Arena ofShared() {
      throw new AssertionError("a stand-in runs");
    }

    /** One for the collector. */
    static Arena ofAuto() {
      throw new AssertionError("a stand-in runs");
    }

    /** Allocates so many bytes. */
    Segment allocate(long bytes, long alignment);

    /** Frees them all. */
    void close();
  }

  /** Stands for {@code java.lang.foreign.MemorySegment}. */
  public interface Segment {}

  /** Stands for {@code jdk.internal.foreign.MemorySessionImpl}, which is what an arena opens. */
  public abstract static class Session {
    /** What is to be freed when it is closed. It does not refer to the session. */
    public final List resourceList;

    private Session(List list) {
      resourceList = list;
    }

    /** What who uses a closed one gets. */
    public static native IllegalStateException alreadyClosed();
  }

  /** Stands for {@code jdk.internal.foreign.MemorySessionImpl$ResourceList}. */
  public abstract static class List {
    /** The last that was added, or {@link Cleanup#CLOSED_LIST}. */
    public @Nullable Cleanup fst;

    /** Made by a session. */
    protected List() {}

    /** Adds, or throws. */
    public abstract void add(Cleanup cleanup);

    /** Frees all, once. */
    public abstract void cleanup();

    /** Frees one and those behind it. */
    public static native void cleanup(Cleanup first);
  }

  /** Stands for {@code jdk.internal.foreign.SharedSession$SharedResourceList}. */
  public abstract static class SharedList extends List {
    /** Made by a session. */
    protected SharedList() {}

    @Override
    public native void add(Cleanup cleanup);

    @Override
    public native void cleanup();
  }

  /** Stands for {@code jdk.internal.foreign.MemorySessionImpl$ResourceList$ResourceCleanup}. */
  public abstract static class Cleanup {
    /** Stands in a list that is closed. */
    public static final Cleanup CLOSED_LIST = closed();

    /** The one that was added before. */
    public @Nullable Cleanup next;

    private Cleanup() {}

    private static native Cleanup closed();
  }

  /** Stands for {@code jdk.internal.foreign.SegmentFactories$1}, which frees an allocation. */
  public abstract static class Allocation {
    /** Bytes. */
    @SuppressWarnings({"checkstyle:MemberName", "MemberName"}) // the compiler's
    public long val$allocationSize;

    private Allocation() {}
  }
}
