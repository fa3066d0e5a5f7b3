package dev.offcut.agent.track.jdk;

/** Stands for {@code sun.nio.Cleaner}, which a direct buffer has from JDK 26 on. */
public interface StockBufferCleaner {
  /** Frees the buffer's memory, once. */
  void clean();
}
