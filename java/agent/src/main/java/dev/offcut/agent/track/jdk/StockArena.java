package dev.offcut.agent.track.jdk;

/** Stands for {@code java.lang.foreign.Arena}, which is not there before JDK 22. */
@SuppressWarnings("DoNotCallSuggester") // an interface has no native methods
public interface StockArena {
  /** One for this thread. */
  static StockArena ofConfined() {
    throw new AssertionError("a stand-in runs");
  }

  /** One for all threads. */
  static StockArena ofShared() {
    throw new AssertionError("a stand-in runs");
  }

  /** One for the collector. */
  static StockArena ofAuto() {
    throw new AssertionError("a stand-in runs");
  }

  /** Allocates so many bytes. */
  StockSegment allocate(long bytes, long alignment);

  /** Frees them all. */
  void close();
}
