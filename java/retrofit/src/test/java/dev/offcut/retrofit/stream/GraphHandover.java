package dev.offcut.retrofit.stream;

import java.lang.reflect.Method;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A thread that reads while another waits for it, and may stop half-way to let that one go on. Only
 * one of the two ever runs, so the outcome is the same each time. No frame of it is below the
 * reading: what the JDK calls on a thread of the JDK has frames of the JDK only.
 */
final class GraphHandover extends FutureTask<Object> {
  private static final int SECONDS = 600;

  private final Semaphore caller = new Semaphore(0);
  private final Semaphore reader = new Semaphore(0);

  @SuppressWarnings("unchecked") // what it is read as does not matter
  GraphHandover(Callable<?> reads) {
    super((Callable<Object>) reads);
  }

  /** Its thread, virtual if the JVM has such. */
  Thread thread(boolean virtual) throws ReflectiveOperationException {
    if (!virtual || Runtime.version().feature() < 21) {
      return new Thread(this);
    }
    Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
    Method unstarted =
        Class.forName("java.lang.Thread$Builder").getMethod("unstarted", Runnable.class);
    return (Thread) unstarted.invoke(builder, this);
  }

  /** Starts it, until it ends or gives back. */
  void start(Thread thread) {
    thread.start();
    await(caller);
  }

  /** Lets the other thread go on. Called on this one. */
  void giveBack() {
    caller.release();
    await(reader);
  }

  /** Lets this thread go on until it ends or gives back again. Called on the other one. */
  void resume() {
    reader.release();
    await(caller);
  }

  @Override
  protected void done() {
    caller.release();
  }

  private static void await(Semaphore turn) {
    try {
      if (!turn.tryAcquire(SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("the other thread hangs");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
