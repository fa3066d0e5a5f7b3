package dev.offcut.agent.publish;

import dev.offcut.agent.Messages;
import dev.offcut.agent.Tracking;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The agent's one thread: once a second it counts what the collector found, publishes the tables,
 * answers who asks for an account, and registers the events as soon as there is a recorder, and the
 * bean as soon as there is an MBean server. To make the first one of either would cost a program
 * that has none a tenth of a second.
 */
public final class Watch implements Runnable {
  private static final boolean EVENTS = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

  /** The first look comes sooner: a program may be killed within its first second. */
  private static final long FIRST_MILLIS = 250;

  private static final long TICK_MILLIS = 1000;

  /** Points of the series are this far apart at first, and each time a tenth farther. */
  private static final long FIRST_STEP_MILLIS = 50;

  private static volatile @Nullable Watch started;

  private final @Nullable Tables tables;
  private final OwnAccount account;

  private boolean hasBean;

  private Watch(@Nullable Tables tables, OwnAccount account) {
    this.tables = tables;
    this.account = account;
  }

  public static void start(@Nullable Tables tables, OwnAccount account) {
    Watch watch = new Watch(tables, account);
    started = watch;
    Thread thread = new Thread(null, watch, "offcut tracking", 0, false);
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
    long pause = FIRST_MILLIS;
    long step = FIRST_STEP_MILLIS;
    long left = FIRST_MILLIS; // until the next tick
    while (true) {
      try {
        pause(pause);
        left -= pause;
        if (left <= 0) {
          left = TICK_MILLIS;
          look();
        } else if (tables != null) {
          tables.point();
        }
        // In the first seconds there are points between two ticks, for programs that end soon.
        step = Math.min(TICK_MILLIS, step + step / 10);
        pause = left < 2 * step ? left : step;
      } catch (InterruptedException e) {
        return; // somebody wants the threads to end: what is left is counted when it is asked for
      } catch (OutOfMemoryError e) {
        // The program's trouble. It may pass.
      } catch (Throwable e) {
        if (!failed) {
          failed = true;
          Messages.say("tracking: the agent could not count what the collector found (" + e + ")");
        }
      }
    }
  }

  /** Not by {@code sleep}: that loads classes of events, which the JVM's archive does not have. */
  private synchronized void pause(long millis) throws InterruptedException {
    long end = System.nanoTime() + 1_000_000 * millis;
    long left = millis;
    while (left > 0) {
      wait(left);
      left = (end - System.nanoTime() + 999_999) / 1_000_000;
    }
  }

  /** Answers who asks for an account now, and not at the next look. For any thread. */
  public static void answerNow() {
    Watch watch = started;
    if (watch != null && watch.tables != null) {
      watch.answer(watch.tables.expected());
    }
  }

  private void answer(@Nullable Path to) {
    try {
      if (to != null) {
        account.look(to);
      }
    } catch (IOException e) {
      // Whoever asked waits in vain, but not for long.
    }
  }

  private void look() throws ReflectiveOperationException {
    if (EVENTS && Recorder.isThere()) {
      Events.register();
    }
    Tracking tracking = Tracking.installed();
    if (tracking != null) {
      if (tables != null) {
        tables.tick();
        answer(tables.expected());
      } else {
        Ledger.kinds(tracking); // which counts what the collector found
      }
      if (!hasBean && tracking.patching().hasBeanServers()) {
        hasBean = AgentBean.register(tracking, account);
      }
    }
  }
}
