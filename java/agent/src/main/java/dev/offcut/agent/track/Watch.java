package dev.offcut.agent.track;

import dev.offcut.agent.Messages;
import java.util.concurrent.TimeUnit;

/**
 * The agent's one thread: once a second it counts what the collector found, and registers the
 * events as soon as there is a recorder. To make the first one would cost a program that has none a
 * tenth of a second.
 */
final class Watch implements Runnable {
  private static final boolean EVENTS = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

  private Watch() {}

  static void start() {
    Thread thread = new Thread(null, new Watch(), "offcut tracking", 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    thread.start();
  }

  static boolean canRecord() {
    return EVENTS;
  }

  @Override
  public void run() {
    boolean failed = false;
    while (true) {
      try {
        TimeUnit.SECONDS.sleep(1);
        look();
      } catch (InterruptedException e) {
        return; // somebody wants the threads to end: what is left is counted when it is asked for
      } catch (OutOfMemoryError e) {
        // The program's trouble. It may pass.
      } catch (Throwable e) {
        if (!failed) {
          failed = true;
          Messages.say("tracking: a look at what the collector found failed (" + e + ")");
        }
      }
    }
  }

  private static void look() throws ReflectiveOperationException {
    if (EVENTS && Recorder.isThere()) {
      Events.register();
      Recorder.look();
    }
    Tracking tracking = Tracking.installed();
    if (tracking != null) {
      Ledger.kinds(tracking);
    }
  }
}
