package dev.offcut.handle;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * The entries of a {@code Group}. Guards {@code Group.mask}: a bit is cleared by one atomic and,
 * and who cleared it owns the value. Equal values are interchangeable: a closer whose entry another
 * took finds the other's, if it looks again until no equal value is left.
 *
 * <p>Results: takes that succeeded, one or two; entries that are left; whether a further check held
 * (1).
 *
 * <p>The plain writes of {@code Group.values} come before the mask's update and are never repeated,
 * so a closer that sees the bit sees the value, in whatever order other stores become visible.
 */
public final class GroupStress {
  private static final HandleType TYPE =
      HandleType.named("group").releaser(Book::release).groupSize(4).create();
  private static final long VALUE = 7;
  private static final long OTHER = 8;

  private static int turn;

  private GroupStress() {}

  /** A group in the registry that its promoter has not sealed. */
  private static Group group(long... values) {
    Group group = new Group.Token(TYPE).group();
    TYPE.registry().insert(group);
    for (long value : values) {
      group.add(value);
    }
    return group;
  }

  private static int take(Group group, long value) {
    return group.take(value) ? 1 : 0;
  }

  /** Two closers of equal values: both own one. */
  @JCStressTest
  @State
  @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "each took one")
  public static class EqualValues {
    final Group group = group(VALUE, VALUE);

    @Actor
    public void one(III_Result r) {
      r.r1 = take(group, VALUE);
    }

    @Actor
    public void other(III_Result r) {
      r.r2 = take(group, VALUE);
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = group.open() == 0 ? 1 : 0;
      group.seal();
    }
  }

  /**
   * The entry comes while the first closer searches: its own may have gone to the second, and then
   * the second's is its.
   */
  @JCStressTest
  @State
  @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "each took one")
  public static class EqualValueAdded {
    final Group group = group(VALUE);

    @Actor
    public void closer(III_Result r) {
      r.r1 = take(group, VALUE);
    }

    @Actor
    public void promoterThenCloser(III_Result r) {
      group.add(VALUE);
      r.r2 = take(group, VALUE);
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = group.open() == 0 ? 1 : 0;
      group.seal();
    }
  }

  /**
   * A promoter takes back a value equal to the closer's, and adds another: the entry that is left
   * over belongs to the closer, and the new value has one of its own.
   */
  @JCStressTest
  @State
  @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "taken, and the other is there")
  public static class UndoAdd {
    final Group group = group(VALUE);

    @Actor
    public void closer(III_Result r) {
      r.r1 = take(group, VALUE);
    }

    @Actor
    public void promoter() {
      group.add(VALUE);
      group.undoAdd();
      group.add(OTHER);
    }

    @Arbiter
    public void end(III_Result r) {
      r.r2 = group.open();
      r.r3 = take(group, OTHER);
      group.seal();
    }
  }

  /** The last entry goes while the promoter seals: one of them takes the group out. */
  @JCStressTest
  @State
  @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "taken, and the cell is empty")
  public static class Seal {
    final Group group = group(VALUE);

    /** What the handle of the entry refers to: without it the net may take the entry first. */
    final Object token = group.held();

    @Actor
    public void closer(III_Result r) {
      r.r1 = take(group, VALUE);
    }

    @Actor
    public void promoter() {
      Stage.jitter(++turn);
      group.seal();
    }

    @Arbiter
    public void end(III_Result r) {
      r.r2 = group.open();
      r.r3 = Segment.at(group.index()) == group ? 0 : 1;
    }
  }
}
