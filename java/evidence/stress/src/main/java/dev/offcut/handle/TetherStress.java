package dev.offcut.handle;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Tethers, whose words and references are plain: the net with an alarm of an older tether, the
 * reaper that lets go, and numbers on their way between threads.
 *
 * <p>There is no such test for the end of a tether against its own alarm: the collector's discovery
 * of the tether lies between the two. {@code GcRace} has the collector.
 */
public final class TetherStress {
  private static final HandleType TYPE =
      HandleType.named("tether").releaser(Book::release).create();

  private TetherStress() {}

  /** The tethers of a test's own, and the stack of the one of its threads that opens. */
  private static final class Ground {
    final Tethers tethers = new Tethers(TYPE, TYPE.nurseries());
    final Tethers.Stack stack = new Tethers.Stack(null);

    Tether open(long value) {
      Tether opened = tethers.openFrom(stack, value ^ HandleState.CODE, null, true);
      while (opened == null) {
        tethers.grow();
        opened = tethers.openFrom(stack, value ^ HandleState.CODE, null, true);
      }
      return opened;
    }

    void end(Tether tether) {
      tethers.endInto(stack, tether, tether.rack, tether.index);
    }

    /** Whether the net would find it. */
    @SuppressWarnings("unchecked") // an alarm refers to any object
    boolean isTied(Tether tether) {
      Forgotten alarm = tether.alarm();
      return alarm != null && ((Reference<Object>) alarm).refersTo(tether);
    }

    /** Whether each number is in one place; then the net forgets all of it. */
    int leave(Tethers.Stack... others) {
      try {
        tethers.verify(others);
        return 1;
      } catch (AssertionError e) {
        return 0;
      } finally {
        tethers.dropParked();
      }
    }
  }

  /**
   * The alarm of a tether that was parked and let go comes while its number gets a new tether: it
   * never takes the new value. Guards the comparison of alarms under the monitor, and the order of
   * the new alarm and the new value. Results: releases of the new value; whether the net would find
   * it; whether each number is in one place.
   */
  @JCStressTest
  @State
  @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "the new one is open")
  public static class OldAlarm {
    final long value = Book.fresh();
    final Ground ground = new Ground();
    final Forgotten old;
    @Nullable Tether second;

    {
      Tether first = ground.open(value);
      old = Objects.requireNonNull(first.alarm());
      ground.end(first);
      Arrays.fill(first.rack.held, null);
    }

    @Actor
    public void opener() {
      second = ground.open(value + 1);
    }

    @Actor
    public void net() {
      Stage.jitter(value);
      Stage.release(old);
    }

    @Arbiter
    public void end(III_Result r) {
      Tether opened = Objects.requireNonNull(second);
      r.r1 = Book.releases(value) + Book.releases(value + 1);
      r.r2 = ground.isTied(opened) ? 1 : 0;
      r.r3 = ground.leave(ground.stack);
    }
  }

  /**
   * The reaper lets go of a parked tether while it is opened: the owner has one that the net would
   * find. Guards that the rack is read once. Results: whether the owner's is tied; whether each
   * number is in one place.
   */
  @JCStressTest
  @State
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "open and tied")
  public static class LetGoAndOpen {
    final long value = Book.fresh();
    final Ground ground = new Ground();
    final Tethers.Rack rack;
    @Nullable Tether opened;

    {
      Tether first = ground.open(value);
      rack = first.rack;
      ground.end(first);
    }

    @Actor
    public void opener() {
      Stage.jitter(value);
      opened = ground.open(value + 1);
    }

    @Actor
    public void reaper() {
      for (int i = 0; i < rack.held.length; i++) { // as Tethers.look, of what is parked
        if (rack.held[i] != null) {
          rack.held[i] = null;
        }
      }
    }

    @Arbiter
    public void end(II_Result r) {
      Tether one = opened;
      r.r1 = one != null && ground.isTied(one) ? 1 : 0;
      r.r2 = ground.leave(ground.stack);
    }
  }

  /**
   * The reaper lets go of a tether in use while it ends, and the number is opened again. Results:
   * whether the next one is tied; whether each number is in one place.
   */
  @JCStressTest
  @State
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "open and tied")
  public static class LetGoAndEnd {
    final long value = Book.fresh();
    final Ground ground = new Ground();
    final Tether first = ground.open(value);
    @Nullable Tether opened;

    @Actor
    public void owner() {
      ground.end(first);
      opened = ground.open(value + 1);
    }

    @Actor
    public void reaper() {
      ground.tethers.look(true);
    }

    @Arbiter
    public void end(II_Result r) {
      Tether one = opened;
      r.r1 = one != null && ground.isTied(one) ? 1 : 0;
      r.r2 = ground.leave(ground.stack);
    }
  }

  /**
   * A full stack gives numbers to the common list while an empty one takes some. Guards the monitor
   * of {@code Tethers} around the two. Results: whether the one taken is tied; whether each number
   * is in one place.
   */
  @JCStressTest
  @State
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "no number is lost, none is of two")
  public static class GiveAndTake {
    private static final int STACK = 64;
    private static final int BATCHES = 96; // whole ones, more than a stack

    final long value = Book.fresh();
    final Ground ground = new Ground();
    final Tethers.Stack other = new Tethers.Stack(null);
    final Tether last;
    @Nullable Tether taken;

    {
      Tether[] all = new Tether[BATCHES];
      for (int i = 0; i < all.length; i++) {
        all[i] = ground.open(value);
      }
      for (int i = 0; i < STACK; i++) {
        ground.end(all[i]);
      }
      last = all[STACK];
      ground.tethers.grow();
    }

    @Actor
    public void giver() {
      ground.end(last);
    }

    @Actor
    public void taker() {
      Stage.jitter(value);
      taken = ground.tethers.openFrom(other, value ^ HandleState.CODE, null, true);
    }

    @Arbiter
    public void end(II_Result r) {
      Tether one = taken;
      r.r1 = one != null && ground.isTied(one) ? 1 : 0;
      r.r2 = ground.leave(ground.stack, other);
    }
  }
}
