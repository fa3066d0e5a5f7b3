package dev.offcut.handle;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

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
 * Two promoters put their places into one registry. Guards {@code Segment.cells}, filled and
 * emptied by compare-and-set: runs of free cells may overlap where a segment is filled again, and
 * then the loser of a cell takes its next. {@code Segment.live} is counted up before the fill and
 * down after the emptying, so at rest it equals the cells that are filled.
 *
 * <p>{@code Tracker.index} is plain: written before the compare-and-set that fills the cell, and
 * read by those who have the place from the cell or from a link that was moved after it. A failed
 * fill leaves a wrong index behind, which nobody else has seen.
 */
public final class RegistryStress {
  private RegistryStress() {}

  /** A place that refers to nothing. */
  private static final class Pin extends Segment.Cell {
    Pin() {
      super(new Object(), null);
    }

    @Override
    public Step releaseOne(Tally tally) {
      return Step.DONE;
    }

    @Override
    @Nullable Site site() {
      return null;
    }

    boolean stands() {
      return Segment.at(index()) == this;
    }
  }

  private static Pin[] pins(int count) {
    Pin[] pins = new Pin[count];
    for (int i = 0; i < count; i++) {
      pins[i] = new Pin();
    }
    return pins;
  }

  private static HandleType type() {
    return HandleType.named("registry").releaser(Book::release).create();
  }

  /**
   * Two runs over the same cells. Results: places of each promoter that stand in their cells; open
   * places in all, of which {@code at} one stood before.
   */
  @JCStressTest
  @State
  @Outcome(id = "16, 16, 33", expect = ACCEPTABLE, desc = "all in, each in a cell of its own")
  public static class OverlappingRanges {
    private static final int PLACES = 16;

    final Registry registry = type().registry;
    final Registry.CellRange early = new Registry.CellRange();
    final Registry.CellRange late = new Registry.CellRange();
    final Pin[] one = pins(PLACES);
    final Pin[] other = pins(PLACES);

    {
      // The early range has its cells while the others are filled and emptied; then the segment is
      // filled again from its beginning, and the late range gets the same cells.
      Pin passing = new Pin();
      registry.insert(passing, early);
      Registry.CellRange between = new Registry.CellRange();
      int count = 1 + Settings.SEGMENT_CELLS - Settings.RANGE_CELLS;
      int[] cells = new int[count];
      cells[0] = passing.index();
      for (int i = 1; i < count; i++) {
        registry.insert(passing, between);
        cells[i] = passing.index();
      }
      registry.giveBack(between);
      for (int cell : cells) {
        passing.index(cell);
        Segment.remove(passing);
      }
      registry.insert(new Pin(), late);
    }

    @Actor
    public void one() {
      for (Pin pin : one) {
        registry.insert(pin, early);
      }
    }

    @Actor
    public void other() {
      for (Pin pin : other) {
        registry.insert(pin, late);
      }
    }

    @Arbiter
    public void end(III_Result r) {
      Invariants.check(registry);
      for (int i = 0; i < PLACES; i++) {
        r.r1 += one[i].stands() ? 1 : 0;
        r.r2 += other[i].stands() ? 1 : 0;
      }
      r.r3 = (int) registry.open();
      Objects.requireNonNull(Segment.of(one[0].index())).discard();
    }
  }

  /** One cell of a segment of its own. */
  @State
  public static class OneCell {
    private static final HandleType TYPE = type();

    final Segment segment = Segment.create(TYPE.registry);
    final Pin pin = new Pin();
    final Pin other = new Pin();

    {
      segment.fill(0, pin);
    }

    final void end() {
      Invariants.check(segment);
      segment.discard();
    }
  }

  /** A closer empties a cell that a promoter wants. Results: removed; filled, and live with it. */
  @JCStressTest
  @Outcome(id = "1, 11", expect = ACCEPTABLE, desc = "emptied, then filled")
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "not free yet")
  public static class EmptyFill {
    @Actor
    public void closer(OneCell state, II_Result r) {
      r.r1 = Segment.remove(state.pin) ? 1 : 0;
    }

    @Actor
    public void promoter(OneCell state, II_Result r) {
      r.r2 = state.segment.fill(0, state.other) ? 10 : 0;
    }

    @Arbiter
    public void end(OneCell state, II_Result r) {
      r.r2 += state.segment.live.get();
      state.end();
    }
  }
}
