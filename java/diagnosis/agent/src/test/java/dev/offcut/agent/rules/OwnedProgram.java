package dev.offcut.agent.rules;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Opens and closes objects that own memory, as their class files show, and prints how many of each
 * class. The memory is not there: it is freed by an abstract method, whose native code nobody
 * calls.
 */
final class OwnedProgram {
  static final Memory MEMORY = new NoMemory();

  private static long made;

  /** By class: opened, closed, collected, lost, open. */
  private static final Map<String, long[]> TRUTH = new TreeMap<>();

  private OwnedProgram() {}

  static long make() {
    made += 16;
    return made;
  }

  /** Frees memory. */
  abstract static class Memory {
    abstract void free(long address);
  }

  /** Frees nothing. */
  static final class NoMemory extends Memory {
    @Override
    void free(long address) {}
  }

  /** Would free it. */
  static final class NativeMemory extends Memory {
    @Override
    native void free(long address);
  }

  /** Clears its handle. */
  static class Plain implements AutoCloseable {
    private long address = make();

    @Override
    public void close() {
      if (address != 0) {
        MEMORY.free(address);
        address = 0;
      }
    }
  }

  /** Is an owner as what is above it. */
  static final class Below extends Plain {
    final int number;

    Below(int number) {
      this.number = number;
    }
  }

  /** Clears nothing. */
  static final class Struct {
    final long address;

    Struct(long address) {
      this.address = address;
    }

    void free() {
      MEMORY.free(address);
    }
  }

  /** Owns what it points to, or not. */
  static class Wrapper {
    private long pointer;
    protected boolean owns;

    Wrapper(long pointer, boolean owns) {
      this.pointer = pointer;
      this.owns = owns;
    }

    Wrapper() {
      this(make(), true);
    }

    static long release(Wrapper of) {
      long pointer = of.pointer;
      of.owns = false;
      return pointer;
    }

    synchronized void delete() {
      if (pointer != 0) {
        if (owns) {
          owns = false;
          MEMORY.free(pointer);
        }
        pointer = 0;
      }
    }
  }

  /** Has its flag, and the method that closes. */
  abstract static class Reference {
    protected final AtomicBoolean owning = new AtomicBoolean(true);

    public void close() {
      if (owning.compareAndSet(true, false)) {
        disposeInternal();
      }
    }

    void disown() {
      owning.set(false);
    }

    protected abstract void disposeInternal();
  }

  /** Has the handle. */
  static final class Options extends Reference {
    private final long handle = make();

    @Override
    protected void disposeInternal() {
      MEMORY.free(handle);
    }
  }

  /** Below the same class, and owns nothing. */
  static final class Views extends Reference {
    private long handle;

    @Override
    protected void disposeInternal() {
      handle = 0;
    }
  }

  /** Gets its handle later, and again. */
  static final class Later {
    private long handle;
    private int opened;

    void open(boolean really) {
      handle = really ? make() : 0;
      opened++;
    }

    void close() {
      if (handle != 0) {
        MEMORY.free(handle);
      }
      handle = 0;
    }
  }

  /** Its code jumps to where it is written, and behind that. */
  static final class Branching {
    private boolean closed;
    private final long handle;

    Branching(int how) {
      long[] made = {make()};
      handle = how > 0 ? made[0] : 0;
      if (how > 1) {
        closed = how > 2;
      }
    }

    void close(int how) {
      switch (how) {
        case 0 -> {}
        case 1 -> closed = closed || handle != 0;
        default -> close();
      }
    }

    void close() {
      if (closed) {
        return;
      }
      MEMORY.free(handle);
      closed = true;
    }
  }

  /** Keeps its address in an array. */
  static final class Boxed {
    private final long[] address = {make()};

    void close() {
      if (address[0] != 0) {
        MEMORY.free(address[0]);
        address[0] = 0;
      }
    }
  }

  /** Is freed by its finalizer. */
  static final class Finalized {
    private long handle = make();

    void dispose() {
      if (handle != 0) {
        MEMORY.free(handle);
        handle = 0;
      }
    }

    @Override
    @SuppressWarnings({"deprecation", "Finalize"})
    protected void finalize() {
      dispose();
    }
  }

  /** Its finalizer frees by itself, and no field shows it. */
  static final class Freed {
    private final long handle = make();

    @SuppressWarnings("unused") // a program that does not call it is what is tried
    void release() {
      MEMORY.free(handle);
    }

    @Override
    @SuppressWarnings({"deprecation", "Finalize"})
    protected void finalize() {
      MEMORY.free(handle);
    }
  }

  /** The constructor throws. */
  static final class Failing {
    private long handle = make();

    Failing(boolean fails) {
      if (fails) {
        throw new IllegalStateException();
      }
    }

    void close() {
      if (handle != 0) {
        MEMORY.free(handle);
        handle = 0;
      }
    }
  }

  /** Comes last: when it counts, all others do. */
  static final class Last {
    private long handle = make();

    void close() {
      if (handle != 0) {
        MEMORY.free(handle);
        handle = 0;
      }
    }
  }

  private static void truth(Class<?> type, long... counts) {
    TRUTH.put(type.getName(), counts);
  }

  private static void await() throws ReflectiveOperationException {
    Class<?> helper = Class.forName("java.util.concurrent.OffcutCloseables");
    List<?> names;
    do {
      new Last().close();
      Thread.onSpinWait();
      names = Arrays.asList((Object[]) helper.getMethod("names").invoke(null));
    } while (!names.contains(Last.class.getName()));
  }

  public static void main(String[] args) throws Exception {
    for (Class<?> type :
        new Class<?>[] {
          NativeMemory.class,
          Plain.class,
          Below.class,
          Struct.class,
          Wrapper.class,
          Reference.class,
          Options.class,
          Views.class,
          Later.class,
          Branching.class,
          Boxed.class,
          Finalized.class,
          Freed.class,
          Failing.class,
          Last.class
        }) {
      Class.forName(type.getName());
    }
    await();
    run();
    TRUTH.forEach(
        (name, counts) -> {
          StringBuilder line = new StringBuilder(name);
          for (long count : counts) {
            line.append(' ').append(count);
          }
          System.out.println(line);
        });
  }

  private static void run() {
    for (int i = 0; i < 100; i++) {
      Plain plain = new Plain();
      Below below = new Below(i);
      Struct struct = new Struct(make());
      Options options = new Options();
      Boxed boxed = new Boxed();
      Finalized finalized = new Finalized();
      if (i % 2 == 0) {
        plain.close();
        plain.close();
        below.close();
        struct.free();
        options.close();
        boxed.close();
        finalized.dispose();
      } else if (i % 10 == 1) {
        options.disown();
      }
      new Views().close();
      new Freed();
    }
    truth(Plain.class, 100, 50, 0, 50, 0);
    truth(Below.class, 100, 50, 0, 50, 0);
    truth(Struct.class, 100, 50, 0, 50, 0);
    truth(Options.class, 100, 60, 0, 40, 0);
    truth(Boxed.class, 100, 50, 0, 50, 0);
    truth(Finalized.class, 100, 50, 50, 0, 0);
    truth(Freed.class, 100, 0, 100, 0, 0);
    wrappers();
    others();
  }

  private static void wrappers() {
    for (int i = 0; i < 100; i++) {
      Wrapper owner = new Wrapper();
      Wrapper view = new Wrapper(owner.pointer, false);
      view.delete();
      if (i < 30) {
        owner.delete();
      } else if (i < 50) {
        MEMORY.free(Wrapper.release(owner));
      }
    }
    truth(Wrapper.class, 100, 50, 0, 50, 0);
  }

  private static void others() {
    for (int i = 0; i < 100; i++) {
      Later later = new Later();
      later.open(i % 2 == 0);
      if (i % 4 == 0) {
        later.close();
        later.open(true);
      }
      Branching branching = new Branching(i % 4);
      branching.close(i % 3);
      try {
        new Failing(i % 2 == 0);
      } catch (IllegalStateException e) {
        // as it should
      }
    }
    truth(Later.class, 75, 25, 0, 50, 0);
    truth(Failing.class, 50, 0, 0, 50, 0);
    branching();
  }

  /** Of 100 two in four are opened: their handle is set, and they are not closed. */
  private static void branching() {
    long opened = 0;
    long closed = 0;
    for (int i = 0; i < 100; i++) {
      boolean opens = i % 4 == 1 || i % 4 == 2;
      opened += opens ? 1 : 0;
      closed += opens && i % 3 != 0 ? 1 : 0;
    }
    truth(Branching.class, opened, closed, 0, opened - closed, 0);
  }
}
