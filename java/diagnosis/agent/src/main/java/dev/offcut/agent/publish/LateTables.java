package dev.offcut.agent.publish;

import dev.offcut.agent.Tracking;
import dev.offcut.agent.base.concurrent.ForcedCollections;
import dev.offcut.agent.hooks.Source;
import java.lang.instrument.Instrumentation;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The {@link Tables} of a program that may end before the agent has looked at it: they are made at
 * the first look, or at the end if somebody wants them. Only collections that the JDK forces are
 * noted from the start.
 */
public final class LateTables implements Runnable {
  private final Tracking tracking;
  private final @Nullable String folder;
  private final ForcedRows forced = new ForcedRows();
  private @Nullable Tables tables;

  /** Whether the end has its last look. By the thread that begins, then by that which ticks. */
  private boolean isHooked;

  private LateTables(Tracking tracking, @Nullable String folder) {
    this.tracking = tracking;
    this.folder = folder;
  }

  /**
   * Begins: the first tick makes the file.
   *
   * @param folder who asks for it; or null
   * @param behindHooks where the JVM's shutdown has a step behind the program's own hooks, and
   *     other last looks are made there too; null: the last counts are made there only if the file
   *     is wanted and something is open
   */
  public static @Nullable LateTables begin(
      Tracking tracking, @Nullable String folder, @Nullable Instrumentation behindHooks) {
    LateTables tables = new LateTables(tracking, folder);
    try {
      if (tracking.isTracked(Source.FORCED)) {
        ForcedCollections.listen(tables.forced);
      }
      if (behindHooks != null) {
        LastStep.add(behindHooks, Tables.NAME, tables.made());
        tables.isHooked = true;
      } else if (tables.isAsked()) {
        tables.hook();
      }
      return tables;
    } catch (RuntimeException e) {
      tables.made().fail(e); // or the program ends already
      return null;
    }
  }

  /**
   * The last look at the program's end. A program that ends before the first look, and that nobody
   * asks about, has no tables, and so no hook.
   */
  private void hook() {
    Runtime.getRuntime().addShutdownHook(new Thread(null, this, Tables.NAME, 0, false));
    isHooked = true;
  }

  private boolean isAsked() {
    return folder != null || tracking.settings().fleet() != null;
  }

  /** At the program's end. */
  @Override
  public void run() {
    made().atExit();
  }

  /** Publishes what changed. */
  void tick() {
    if (!isHooked) {
      try {
        hook();
      } catch (IllegalStateException e) {
        return; // the program ends already
      } catch (RuntimeException e) {
        isHooked = true; // a security manager says no, and will do so the next time
        made().fail(e);
      }
    }
    made().tick();
  }

  /**
   * Where they are, or will be as soon as there is something to publish; null if that is not known.
   */
  @Nullable Path expected() {
    return folder != null || isMade() ? made().expected() : null;
  }

  private synchronized boolean isMade() {
    return tables != null;
  }

  private synchronized Tables made() {
    Tables made = tables;
    if (made == null) {
      made = new Tables(tracking, folder, forced);
      tables = made;
    }
    return made;
  }
}
