package dev.offcut.agent.base.foreign;

import org.jspecify.annotations.Nullable;

/**
 * Stand-ins: what the helpers see of the JDK, where those that they run beside cannot be compiled
 * against. None is ever loaded: the build replaces each name by the one of the class it stands for.
 */
public final class Stock {
  private Stock() {}

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

    /** Its session. */
    Scope scope();

    /** Allocates so many bytes. */
    Segment allocate(long bytes, long alignment);

    /** Frees them all. */
    void close();
  }

  /** Stands for {@code java.lang.foreign.MemorySegment}. */
  public interface Segment {}

  /** Stands for {@code java.lang.foreign.MemorySegment.Scope}. */
  public interface Scope {}

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
