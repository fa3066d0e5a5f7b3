package dev.offcut.bench.handle;

/** A handle of whichever implementation. */
public interface Closing extends AutoCloseable {
  @Override
  void close();
}
