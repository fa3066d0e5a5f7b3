package dev.offcut.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A comparator called from C, which tries to close an arena that the call is using. */
@SuppressWarnings("restricted") // called from C
final class Compare {
  private final PoolArena arena;
  private final AtomicReference<@Nullable Throwable> thrown;

  private Compare(PoolArena arena, AtomicReference<@Nullable Throwable> thrown) {
    this.arena = arena;
    this.thrown = thrown;
  }

  static MemorySegment stub(
      PoolArena arena, AtomicReference<@Nullable Throwable> thrown, Arena stubs)
      throws ReflectiveOperationException {
    MethodHandle compare =
        MethodHandles.lookup()
            .findVirtual(
                Compare.class,
                "compare",
                MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class))
            .bindTo(new Compare(arena, thrown));
    return Linker.nativeLinker()
        .upcallStub(
            compare,
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS),
            stubs);
  }

  /** Equal, whatever they are. */
  int compare(MemorySegment a, MemorySegment b) {
    try {
      arena.close();
    } catch (IllegalStateException e) {
      thrown.set(e);
    }
    return 0;
  }
}
