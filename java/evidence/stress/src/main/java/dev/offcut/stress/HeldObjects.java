package dev.offcut.stress;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Objects that stay reachable while their Cleanables do not, in a heap whose collector clears soft
 * references again and again: no action may run. The JDK's cleaner is the control.
 */
public final class HeldObjects {
  private static final int ROUNDS = 5;
  private static final int OBJECTS = 20;

  private HeldObjects() {}

  /** Exits with 1 when an action ran. */
  public static void main(String[] args) throws InterruptedException {
    AtomicInteger early = new AtomicInteger();
    AtomicInteger control = new AtomicInteger();
    var jdk = java.lang.ref.Cleaner.create();
    var dropIn = dev.offcut.handle.Cleaner.create();
    List<Object> objects = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < OBJECTS; i++) {
        Object object = new Object();
        objects.add(object);
        jdk.register(object, control::incrementAndGet);
        dropIn.register(object, early::incrementAndGet);
      }
      clearSoftReferences();
      Thread.sleep(100);
    }
    System.gc();
    Thread.sleep(500);
    held = objects; // so that none of them went before
    boolean passed = early.get() == 0 && control.get() == 0;
    System.out.println(
        (passed ? "none" : "FAILED: " + early + ", the JDK's " + control)
            + " of "
            + objects.size());
    System.exit(passed ? 0 : 1);
  }

  /** As the collector does before it gives up. */
  @SuppressWarnings("EmptyCatch")
  private static void clearSoftReferences() {
    try {
      kept = new byte[Integer.MAX_VALUE - 8];
    } catch (OutOfMemoryError e) {
      // on purpose
    }
  }

  @SuppressWarnings("UnusedVariable") // so that the array is made
  private static volatile byte[] kept = {};

  @SuppressWarnings("UnusedVariable") // to be reachable
  private static volatile List<Object> held = List.of();
}
