package dev.offcut.handle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * A program that brings its own copy of the library, as a web application does: both are loaded by
 * one class loader. It opens handles of all kinds, closes or forgets them, and shuts the net down.
 * The result is how many are still open then.
 */
public final class Undeployed implements Callable<Long> {
  private final int left;

  /** Leaves so many handles open. */
  public Undeployed(int left) {
    this.left = left;
  }

  @Override
  public Long call() {
    Handles.detection(Detection.FULL);
    HandleType type = HandleType.named("undeployed").releaser(Native::close).create();
    List<AutoCloseable> opened = new ArrayList<>();
    Cleaner own = Cleaner.create(Thread::new);
    own.register(opened, () -> {}).clean();
    Cleaner.create().register(opened, () -> {}).clean();
    for (int i = 0; i < 20; i++) {
      opened.add(Thing.open(type));
      Thing.forget(type);
      if (i == 10) {
        Reaper.pass(false, true);
      }
    }
    List<Thing> stay = new ArrayList<>();
    for (int i = 0; i < left; i++) {
      stay.add(Thing.open(type));
    }
    if (!Handles.drain(Duration.ofMinutes(5))) {
      throw new AssertionError("forgotten handles were not released");
    }
    for (AutoCloseable handle : opened) {
      ((Thing) handle).close();
    }
    long open = 0;
    for (HandleSnapshot.OfType each : Handles.shutdown().types()) {
      open += each.open();
    }
    stay.forEach(Thing::close);
    return open;
  }
}
