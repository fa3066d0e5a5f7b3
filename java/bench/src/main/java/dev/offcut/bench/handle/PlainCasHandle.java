package dev.offcut.bench.handle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** {@code plain-cas}: no net either, but closes once though several threads close. */
final class PlainCasHandle implements Closing {
  private static final VarHandle VALUE;

  static {
    try {
      VALUE = MethodHandles.lookup().findVarHandle(PlainCasHandle.class, "value", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile long value;

  PlainCasHandle(long value) {
    VALUE.set(this, Resource.acquire(value)); // plain: not published yet
  }

  @Override
  public void close() {
    long v = value;
    if (v != 0 && VALUE.compareAndSet(this, v, 0L)) {
      Resource.release(v);
    }
  }
}
