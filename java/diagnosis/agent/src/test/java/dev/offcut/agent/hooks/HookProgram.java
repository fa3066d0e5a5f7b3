package dev.offcut.agent.hooks;

import java.lang.ref.Cleaner;
import java.util.concurrent.TimeUnit;

/** A program that closes in a shutdown hook what it has open, as servers do, and takes its time. */
public final class HookProgram {
  private static final long MILLIS = 700;

  private HookProgram() {}

  public static void main(String[] args) {
    Object resource = new Object();
    Cleaner.Cleanable cleanable = Cleaner.create().register(resource, () -> {});
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  try {
                    TimeUnit.MILLISECONDS.sleep(MILLIS);
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                  cleanable.clean();
                  System.out.println("closed " + resource.getClass());
                }));
  }
}
