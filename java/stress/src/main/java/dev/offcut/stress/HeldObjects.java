package dev.offcut.stress;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Objects that stay reachable while their Cleanables do not, in a heap whose collector clears soft
 * references again and again: no action may run.
 *
 * <p>Arguments: {@code drop-in} or {@code jdk}.
 */
public final class HeldObjects {
  private static final int ROUNDS = 5;
  private static final int OBJECTS = 20;

  private HeldObjects() {}

  /** Exits with 1 when an action ran. */
  public static void main(String[] args) throws InterruptedException {
    AtomicInteger early = new AtomicInteger();
    var jdk = java.lang.ref.Cleaner.create();
    var dropIn = dev.offcut.handle.Cleaner.create();
    List<Object> objects = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < OBJECTS; i++) {
        Object object = new Object();
        objects.add(object);
        if (args[0].equals("jdk")) {
          jdk.register(object, early::incrementAndGet);
        } else {
          dropIn.register(object, early::incrementAndGet);
        }
      }
      clearSoftReferences();
      Thread.sleep(300);
    }
    System.gc();
    Thread.sleep(1_000);
    System.out.println((early.get() == 0 ? "none" : "FAILED: " + early) + " of " + objects.size());
    held = objects; // so that none of them went before
    System.exit(early.get() == 0 ? 0 : 1);
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
