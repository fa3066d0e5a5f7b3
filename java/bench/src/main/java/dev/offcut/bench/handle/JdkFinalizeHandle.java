package dev.offcut.bench.handle;

/** {@code jdk-finalize}: closed or finalized, whichever comes first. */
final class JdkFinalizeHandle implements Closing {
  private long value;

  JdkFinalizeHandle(long value) {
    this.value = Resource.acquire(value);
  }

  @Override
  public synchronized void close() {
    long v = value;
    if (v != 0) {
      value = 0;
      Resource.release(v);
    }
  }

  @Override
  @SuppressWarnings({"removal", "deprecation", "Finalize"}) // a peer, as long as the JDK has it
  protected void finalize() {
    close();
  }
}
