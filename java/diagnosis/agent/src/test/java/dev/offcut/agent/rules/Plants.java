package dev.offcut.agent.rules;

import java.util.concurrent.atomic.AtomicInteger;

/** Classes that a program has to close, each hard to count in its own way. */
final class Plants {
  /** What none of the constructors and methods can do without. */
  static final AtomicInteger DONE = new AtomicInteger();

  private Plants() {}

  /** Is thrown by constructors. */
  static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** The root of a hierarchy, which may refuse. */
  static class Base implements AutoCloseable {
    final int number;

    Base(int number) {
      this.number = number;
      if (number < 0) {
        throw new Refused();
      }
    }

    @Override
    public void close() {
      DONE.incrementAndGet();
    }
  }

  /** Has neither a constructor that does anything nor a close. */
  static class Middle extends Base {
    Middle(int number) {
      super(number);
    }
  }

  /** Overrides close, calls the one above, and may refuse after the one above has not. */
  static final class Leaf extends Middle {
    Leaf(int number, boolean refuses) {
      super(number);
      if (refuses) {
        throw new Refused();
      }
    }

    @Override
    public void close() {
      DONE.incrementAndGet();
      super.close();
    }
  }

  /** Constructors that call each other, with an object of their own class among the arguments. */
  static final class Delegating extends Base {
    final Delegating other;

    Delegating() {
      super(1);
      other = this;
    }

    Delegating(Delegating other, boolean refuses) {
      super(2);
      this.other = refuses ? this : other;
    }

    /** Opens two, or, if it refuses, one. */
    @SuppressWarnings("DuplicateBranches") // a branch is before the call
    Delegating(int number, boolean refuses) {
      this(number > 5 ? new Delegating() : new Delegating(), refuses);
      try {
        if (refuses) {
          throw new Refused();
        }
      } catch (IllegalStateException e) {
        throw new AssertionError(e);
      }
      DONE.incrementAndGet();
    }
  }

  /** Its constructors have switches, loops and several returns, and so has its close. */
  static final class Switching extends Base {
    private long sum;

    @SuppressWarnings("all") // shapes that the compiler makes of them
    Switching(int number, String word) {
      super(number);
      for (int i = 0; i < 3; i++) {
        switch (number + i) {
          case 0:
            sum += 1;
            break;
          case 1:
            sum += 2;
            return;
          case 2:
            sum += 3;
            break;
          default:
            sum += 4;
        }
        switch (word) {
          case "one" -> sum++;
          case "two" -> sum += 2;
          default -> {
            return;
          }
        }
      }
    }

    @Override
    public void close() {
      switch (number) {
        case 0, 1, 2 -> sum = 0;
        case 1_000 -> sum = 1;
        default -> sum = 2;
      }
      super.close();
    }
  }

  /** Closes itself in its constructor, with an even number. */
  static final class ClosedInConstructor extends Base {
    ClosedInConstructor(int number) {
      super(number);
      if (number % 2 == 0) {
        close();
      }
    }
  }

  /** Closed by its finalizer, if not before. */
  static final class Finalized extends Base {
    Finalized(int number) {
      super(number);
    }

    @Override
    @SuppressWarnings({"deprecation", "removal", "Finalize", "Finalizers"}) // it is what is tried
    protected void finalize() {
      close();
    }
  }

  /** An interface, whose close is a default one. */
  interface Resource extends AutoCloseable {
    @Override
    default void close() {
      DONE.incrementAndGet();
    }
  }

  /** A record. */
  record Plain(int number) implements Resource {}

  /** A sealed class. */
  abstract static sealed class Sealed implements Resource permits OnlyOne {}

  /** The one below it. */
  static final class OnlyOne extends Sealed {
    @Override
    public void close() {
      DONE.addAndGet(2);
    }
  }

  /** Has a close, and is not watched. */
  static class Unwatched {
    public void close() {
      DONE.incrementAndGet();
    }
  }

  /** Inherits the close of a class that is not watched. */
  static final class Inheriting extends Unwatched implements Resource {}

  /** Opened by a method, as a pool's objects are. */
  static final class Reused {
    void acquire() {
      DONE.incrementAndGet();
    }

    boolean free(boolean really) {
      DONE.incrementAndGet();
      return really;
    }
  }

  /** Opened by one of its constructors alone, which another one calls. */
  static class ByName implements AutoCloseable {
    ByName(int number) {
      DONE.addAndGet(number);
    }

    ByName(String name) {
      this(name.length());
    }

    ByName(String name, boolean refuses) {
      this(name);
      if (refuses) {
        throw new Refused();
      }
    }

    @Override
    public void close() {
      DONE.incrementAndGet();
    }
  }

  /** Below it. */
  static final class NamedBelow extends ByName {
    NamedBelow(String name) {
      super(name);
    }

    NamedBelow(int number) {
      super(number);
    }
  }

  /** Opens itself by a method that its constructor calls. */
  static final class OpenedInConstructor extends Opened {
    OpenedInConstructor(boolean opens) {
      if (opens) {
        open();
      }
    }
  }

  /** Opened by its constructors, and by a method that one of them calls. */
  static final class OpenedTwice {
    OpenedTwice() {
      open();
    }

    void open() {
      DONE.incrementAndGet();
    }

    void free() {
      DONE.incrementAndGet();
    }
  }

  /** Opened by another one that it is given to, as a listening socket opens those it accepts. */
  static final class Accepted {
    void accept(Accepted other) {
      DONE.addAndGet(other == this ? 2 : 1);
    }

    void free() {
      DONE.incrementAndGet();
    }
  }

  /** Opened by a method. */
  static class Opened {
    void open() {
      DONE.incrementAndGet();
    }

    void free() {
      DONE.incrementAndGet();
    }
  }

  /** Has a rule of its own: a cleaner frees it. */
  static final class Cleaned extends Base {
    Cleaned(int number) {
      super(number);
    }
  }

  /** Owns nothing. */
  static class Wrapper extends Base {
    Wrapper(int number) {
      super(number);
    }
  }

  /** Belongs to the same rule by name, though a wrapper is above. */
  static final class Unwrapped extends Wrapper {
    Unwrapped(int number) {
      super(number);
    }
  }

  /** Its rule is about it alone. */
  static class Alone implements AutoCloseable {
    @Override
    public void close() {
      DONE.incrementAndGet();
    }
  }

  /** Below it. */
  static final class NotAlone extends Alone {}

  /** Its close is native. */
  static class Native extends Base {
    Native() {
      super(1);
    }

    @Override
    public native void close();
  }

  /** Can be rewritten, but that above it cannot. */
  static final class BelowNative extends Native {
    @Override
    public void close() {
      DONE.incrementAndGet();
    }
  }

  /** Has no method that closes. */
  static final class Endless {}

  /** Closed by a method of an interface that is not watched. */
  interface Elsewhere {
    default void end() {
      DONE.incrementAndGet();
    }
  }

  /** Inherits it. */
  static final class EndedElsewhere implements Elsewhere {}

  /** An interface with a rule of its own. */
  interface Pooled extends AutoCloseable {}

  /** Belongs to the rule of a class, though the interface is nearer. */
  static final class Both extends Middle implements Pooled {
    Both(int number) {
      super(number);
    }
  }

  /** A cleaner closes it. */
  static final class Tidied extends Base {
    Tidied(int number) {
      super(number);
    }
  }

  /** Closes as its test has it: {@link WatchedProgram} makes it what no agent rewrites. */
  interface Stubborn extends Resource {
    @Override
    @SuppressWarnings({"unused", "UnusedVariable"}) // it is what is changed
    default void close() {
      Stubborn same = this;
      DONE.incrementAndGet();
    }
  }

  /** Has no other close. */
  public static final class BelowStubborn implements Stubborn {
    /** Makes one. */
    public BelowStubborn() {
      DONE.incrementAndGet();
    }
  }

  /** A root whose close is abstract. */
  abstract static class Shell implements AutoCloseable {}

  /** Is not watched. */
  interface ClosesElsewhere extends AutoCloseable {
    @Override
    default void close() {
      DONE.incrementAndGet();
    }
  }

  /** Closed by a method of an interface that is not watched, though the class above is. */
  static final class Shelled extends Shell implements ClosesElsewhere {}

  /** Is loaded as a hidden class. */
  public static final class OnlyHidden extends Middle {
    /** Makes one. */
    public OnlyHidden() {
      super(1);
    }
  }

  /** Is never closed, and nobody names it. */
  static final class Other implements AutoCloseable {
    @Override
    public void close() {
      DONE.incrementAndGet();
    }
  }
}
