package dev.offcut.bench.handle;

/** {@code plain}: an object in the heap without any net. What a forgotten one held is lost. */
final class PlainHandle implements Closing {
  private long value;

  PlainHandle(long value) {
    this.value = Resource.acquire(value);
  }

  @Override
  public void close() {
    long v = value;
    if (v != 0) {
      value = 0;
      Resource.release(v);
    }
  }
}
