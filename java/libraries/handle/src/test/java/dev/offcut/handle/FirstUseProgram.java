package dev.offcut.handle;

import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The first use of what only some programs use, where the Java heap is full: filled to the brim,
 * then some bytes more free before each attempt, until one succeeds. Afterwards, with memory again,
 * everything must work: what was initialized or linked for the first time in a full heap would fail
 * for ever.
 *
 * <p>Argument: which of {@link #KINDS}. For a child JVM with a heap of some MiB and {@code
 * -XX:-UseTLAB -XX:+UseSerialGC}.
 */
@SuppressWarnings("UnusedVariable") // what fills the heap
final class FirstUseProgram {
  static final int KINDS = 3;

  private static final int LINKS = 20_000;
  private static final Free FREE = new Free();
  private static final Open OPEN = new Open();
  private static final Use USE = new Use();

  private static @Nullable Object @Nullable [] arrays;
  private static @Nullable Link spare;
  private static final HandleType PLAIN = HandleType.named("plain").releaser(FREE).create();
  private static HandleType children = PLAIN;
  private static int opened;
  private static int released;

  private FirstUseProgram() {}

  public static void main(String[] args) {
    new Throwable("none").printStackTrace(new PrintStream(OutputStream.nullOutputStream()));
    int kind = Integer.parseInt(args[0]);
    new Plain(PLAIN).close();
    for (int i = 0; i < LINKS; i++) {
      spare = new Link(spare);
    }
    fill();
    int refused = attempts(kind);
    arrays = null;
    spare = null;
    for (int each = 0; each < KINDS; each++) {
      use(each);
    }
    new Plain(PLAIN); // forgotten
    boolean found = Handles.drain(Duration.ofMinutes(5));
    Handles.verify();
    System.out.println("refused " + refused + ", lost " + (opened - released));
    System.exit(found && opened == released ? 0 : 1);
  }

  /** Until one succeeds; each has some links more of memory than the one before. */
  private static int attempts(int kind) {
    int refused = 0;
    while (spare != null) {
      try {
        use(kind);
        return refused;
      } catch (OutOfMemoryError e) {
        refused++;
        free(1 + refused / 2);
      } catch (Throwable e) {
        arrays = null; // or nobody could be told
        spare = null;
        throw e;
      }
    }
    throw new AssertionError("no success in " + refused + " attempts");
  }

  private static void free(int links) {
    for (int i = 0; i < links && spare != null; i++) {
      spare = spare.next;
    }
  }

  private static void use(int kind) {
    switch (kind) {
      case 0 -> new Guarded().close();
      case 1 -> {
        children = HandleType.named("child").releaser(FREE).childOf(PLAIN).create();
        try (Guarded parent = new Guarded()) {
          new Child(parent).close();
        }
      }
      default -> {
        Handles.detection(Detection.FULL);
        try {
          new Plain(PLAIN).close();
        } finally {
          Handles.detection(Detection.COUNT);
        }
      }
    }
  }

  private static void fill() {
    Object[] chain = new Object[1];
    arrays = chain;
    for (int bytes = 1 << 20; bytes >= 0; bytes = bytes > 16 ? bytes / 2 : bytes - 8) {
      try {
        while (true) {
          Object[] next = new Object[2];
          next[0] = chain[0];
          chain[0] = next;
          next[1] = new byte[bytes];
        }
      } catch (OutOfMemoryError e) {
        // smaller ones
      }
    }
  }

  private static final class Link {
    final @Nullable Link next;
    final long[] room = new long[10];

    Link(@Nullable Link next) {
      this.next = next;
    }
  }

  private static final class Free implements Releaser {
    @Override
    public void release(long value) {
      released++;
    }
  }

  private static final class Use implements Handle.LongUse {
    @Override
    public long apply(long value) {
      return value;
    }
  }

  private static final class Open implements Handle.Opener {
    @Override
    public long open() {
      return ++opened;
    }
  }

  // Static, as a program's: a constructor asks for the type before a field is set.
  private static final class Guarded extends GuardedHandle {
    Guarded() {
      open(OPEN);
      withLong(USE);
    }

    @Override
    protected HandleType type() {
      return PLAIN;
    }
  }

  private static final class Child extends Handle {
    Child(GuardedHandle parent) {
      super(parent);
      open(OPEN);
    }

    @Override
    protected HandleType type() {
      return children;
    }
  }

  private static final class Plain extends Handle {
    private final HandleType type;

    Plain(HandleType type) {
      super(true);
      this.type = type;
      type.reserve(this, null);
      open(OPEN);
    }

    @Override
    protected HandleType type() {
      return type;
    }
  }
}
