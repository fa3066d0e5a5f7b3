package dev.offcut.bench.handle;

/** What a cleaner needs beside the handle: the value, apart from it. */
final class ResourceState implements Runnable {
  private final long value;

  ResourceState(long value) {
    this.value = Resource.acquire(value);
  }

  long value() {
    return value;
  }

  @Override
  public void run() {
    Resource.release(value);
  }
}
