package dev.offcut.stress;

import dev.offcut.handle.Cleaner;
import dev.offcut.handle.CloseInUse;
import dev.offcut.handle.CloseWithChildren;
import dev.offcut.handle.GuardedHandle;
import dev.offcut.handle.Handle;
import dev.offcut.handle.HandleType;
import dev.offcut.handle.Handles;
import dev.offcut.handle.Peek;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/**
 * Every operation of a handle at every depth near the end of the stack: a thread recurses until its
 * stack ends, and tries the operation in each frame on its way back. Interpreted, a frame of this
 * recursion is smaller than any of the net's, so the error comes out of each call that there is.
 *
 * <p>Afterwards the net is alive, for other threads; nothing was released twice; nothing that is
 * reachable and was not closed was released; what was forgotten is, and what a close that the error
 * interrupted was to release.
 *
 * <p>Argument: rounds. Exits with 0 if all of it holds.
 */
public final class StackEnd {
  private static final int TRIES = 150;
  private static final int STACK_BYTES = 512 << 10;
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int MAX = 1 << 18;

  private static final AtomicIntegerArray RELEASES = new AtomicIntegerArray(MAX);

  /** What is to become of a value, by value: one of the states below. */
  private static final byte[] STATES = new byte[MAX];

  private static final byte UNUSED = 0;

  /** The native open has returned. */
  private static final byte OPENED = 1;

  /** The handle was made. */
  private static final byte OPEN = 2;

  private static final byte CLOSED = 3;

  /** The stack ended inside the close. */
  private static final byte INTERRUPTED = 4;

  private static final Object[] HELD = new Object[MAX];
  private static final Cleaner CLEANER = Cleaner.create();
  private static int next = 1;
  private static int overflows;
  private static int tries;
  private static boolean failed;

  private StackEnd() {}

  private static void release(long value) {
    RELEASES.getAndIncrement((int) value);
  }

  private static long opened(int id) {
    STATES[id] = OPENED;
    return id;
  }

  private static final class Exact extends Handle {
    static final HandleType TYPE = HandleType.named("exact").releaser(StackEnd::release).create();

    Exact(int id) {
      open(() -> opened(id));
    }

    @Override
    protected HandleType type() {
      return TYPE;
    }
  }

  private static final class Parent extends GuardedHandle {
    static final HandleType TYPE =
        HandleType.named("parent")
            .releaser(StackEnd::release)
            .closeInUse(CloseInUse.DEFER)
            .closeWithChildren(CloseWithChildren.DEFER)
            .create();

    Parent(int id) {
      open(() -> opened(id));
    }

    @Override
    protected HandleType type() {
      return TYPE;
    }
  }

  private static final class Child extends Handle {
    static final HandleType TYPE =
        HandleType.named("child").releaser(StackEnd::release).childOf(Parent.TYPE).create();

    Child(Parent parent, int id) {
      super(parent);
      open(() -> opened(id));
    }

    @Override
    protected HandleType type() {
      return TYPE;
    }
  }

  private static final class Head extends GuardedHandle {
    static final HandleType TYPE =
        HandleType.named("head")
            .releaser(StackEnd::release)
            .closeWithChildren(CloseWithChildren.CASCADE)
            .create();

    Head(int id) {
      open(() -> opened(id));
    }

    @Override
    protected HandleType type() {
      return TYPE;
    }
  }

  private static final class Member extends Handle {
    static final HandleType TYPE =
        HandleType.named("member").releaser(StackEnd::release).childOf(Head.TYPE).create();

    Member(Head head, int id) {
      super(head);
      open(() -> opened(id));
    }

    @Override
    protected HandleType type() {
      return TYPE;
    }
  }

  /** A cleaner's object, which is reachable as long as its registration. */
  private static final class Cleaned {
    Cleaner.@Nullable Cleanable cleanable;
  }

  /** Does something with the values {@code id} and {@code id + 1}. */
  private interface Step {
    void with(int id);
  }

  /**
   * What is tried.
   *
   * @param prepare for each try, with the stack of the main thread
   * @param run where the stack ends
   * @param end for each try, when the thread has ended
   */
  private record Operation(String name, Step prepare, Step run, Step end) {
    Operation(String name, Step prepare, Step run) {
      this(name, prepare, run, id -> {});
    }
  }

  private static final List<Operation> OPERATIONS =
      List.of(
          new Operation(
              "open and rotate",
              id -> {},
              id -> {
                hold(new Exact(id), id);
                Peek.rotate();
              }),
          new Operation("close young", id -> hold(new Exact(id), id), StackEnd::close),
          new Operation(
              "close tenured",
              id -> {
                hold(new Exact(id), id);
                Peek.rotate();
              },
              StackEnd::close),
          new Operation(
              "use",
              id -> hold(new Parent(id), id),
              id -> ((Handle) HELD[id]).withLong(value -> value),
              StackEnd::close),
          new Operation(
              "first child",
              id -> hold(new Parent(id), id),
              id -> hold(new Child((Parent) HELD[id], id + 1), id + 1),
              id -> {
                close(id);
                if (HELD[id + 1] != null) {
                  close(id + 1);
                }
              }),
          new Operation(
              "last child of a closed parent",
              id -> {
                hold(new Parent(id), id);
                hold(new Child((Parent) HELD[id], id + 1), id + 1);
                close(id);
              },
              id -> {
                STATES[id] = INTERRUPTED; // it is released by the close of the child
                close(id + 1);
                STATES[id] = CLOSED;
              }),
          new Operation(
              "cascade",
              id -> {
                Head head = new Head(id);
                hold(head, id);
                hold(new Member(head, id + 1), id + 1);
              },
              id -> {
                STATES[id + 1] = INTERRUPTED;
                close(id);
                STATES[id + 1] = CLOSED;
              }),
          new Operation("register", id -> {}, StackEnd::register),
          new Operation(
              "clean",
              StackEnd::register,
              id -> {
                Cleaner.Cleanable cleanable = ((Cleaned) HELD[id]).cleanable;
                STATES[id] = INTERRUPTED;
                if (cleanable != null) {
                  cleanable.clean();
                }
                STATES[id] = CLOSED;
              }));

  private static void hold(Object object, int id) {
    HELD[id] = object;
    STATES[id] = OPEN;
  }

  private static void close(int id) {
    STATES[id] = INTERRUPTED;
    ((Handle) HELD[id]).close();
    STATES[id] = CLOSED;
  }

  private static void register(int id) {
    Cleaned object = new Cleaned();
    object.cleanable = CLEANER.register(object, () -> release(id));
    hold(object, id);
  }

  /** So many frames of another size first: the end comes at another place of each frame. */
  private static long shift(int frames, long a, long b, Operation operation, int first) {
    if (frames > 0) {
      return shift(frames - 1, b, a + 1, operation, first) + a;
    }
    descend(operation, first);
    return b;
  }

  /** Ends the stack, and tries the operation in each frame on the way back. */
  @SuppressWarnings("InfiniteRecursion") // to the end of the stack, on purpose
  private static void descend(Operation operation, int first) {
    try {
      descend(operation, first);
    } catch (StackOverflowError e) {
      // this frame is near the end
    }
    if (tries < TRIES) {
      int id = first + 2 * tries++;
      try {
        operation.run.with(id);
      } catch (StackOverflowError e) {
        overflows++;
      }
    }
  }

  private static void round(Operation operation, int round) throws InterruptedException {
    int first = next;
    next += 2 * (TRIES + 1);
    for (int i = 0; i <= TRIES; i++) {
      operation.prepare.with(first + 2 * i);
    }
    operation.run.with(first + 2 * TRIES); // links and loads what the first call does
    tries = 0;
    Thread deep = new Thread(null, () -> shift(round, 1, 2, operation, first), "deep", STACK_BYTES);
    deep.start();
    deep.join();
    for (int i = 0; i <= TRIES; i++) {
      operation.end.with(first + 2 * i);
    }
  }

  /** Exits with 1 when something does not hold. */
  public static void main(String[] args) throws Exception {
    for (int round = 0; round < Integer.parseInt(args[0]); round++) {
      for (Operation operation : OPERATIONS) {
        int before = overflows;
        round(operation, round);
        check(overflows > before, operation.name + ": the stack ended inside");
        Handles.snapshot();
      }
    }
    Handles.snapshot();
    Parent parent = new Parent(next);
    new Child(parent, next + 1).close();
    parent.close();
    check(RELEASES.get(next) == 1 && RELEASES.get(next + 1) == 1, "a new parent and child");
    check(Handles.drain(LIMIT), "drained");
    for (int id = 1; id < next; id++) {
      int released = RELEASES.get(id);
      check(released <= 1, id + " is released once at most, not " + released);
      if (STATES[id] == OPEN && HELD[id] != null) {
        check(released == 0, id + " is reachable and open, and was not released");
      }
    }
    System.arraycopy(new Object[MAX], 0, HELD, 0, MAX);
    check(Handles.drain(LIMIT), "drained at the end");
    for (int id = 1; id < next; id++) {
      int released = RELEASES.get(id);
      check(released <= 1, id + " is released once at most, not " + released + ", at the end");
      check(STATES[id] == UNUSED || released == 1, id + " in state " + STATES[id] + " is released");
    }
    Peek.verify();
    System.out.println(overflows + " overflows, nothing lost");
    System.exit(failed ? 1 : 0);
  }

  private static void check(boolean holds, String what) {
    if (!holds) {
      failed = true;
      System.out.println("FAILED: " + what);
    }
  }
}
