package dev.offcut.handle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RegistryTest extends HandleTests {
  private static final Object REFERENT = new Object();

  private static Tracker tracker(HandleType type) {
    return new Tracker(REFERENT, type.loop.references());
  }

  private static Segment segment(Tracker tracker) {
    return Objects.requireNonNull(Segment.of(tracker.index()));
  }

  private static List<Tracker> insert(HandleType type, int count) {
    List<Tracker> trackers = new ArrayList<>();
    Registry.CellRange range = new Registry.CellRange();
    for (int i = 0; i < count; i++) {
      Tracker tracker = tracker(type);
      type.registry.insert(tracker, range);
      trackers.add(tracker);
    }
    type.registry.giveBack(range);
    return trackers;
  }

  @Test
  void insert_eachTracker_getsACellOfItsOwn() {
    HandleType type = type("cells");
    List<Tracker> trackers = insert(type, 3 * Settings.SEGMENT_CELLS);
    Set<Integer> cells = new HashSet<>();
    for (Tracker tracker : trackers) {
      assertThat(cells.add(tracker.index())).isTrue();
      assertThat(Segment.at(tracker.index())).isSameAs(tracker);
      assertThat(segment(tracker).registry.type).isSameAs(type);
    }
    assertThat(type.registry.open()).isEqualTo(trackers.size());
  }

  @Test
  void insert_afterHalfASegmentWasEmptied_fillsItAgain() {
    HandleType type = type("refill");
    List<Tracker> trackers = insert(type, 2 * Settings.SEGMENT_CELLS);
    trackers.subList(0, Settings.SEGMENT_CELLS * 3 / 4).forEach(Segment::remove);
    Set<@Nullable Segment> before = segments(trackers.subList(1_000, 2_000));
    List<Tracker> more = insert(type, Settings.SEGMENT_CELLS / 2);
    assertThat(segments(more)).hasSize(1);
    assertThat(before).containsAll(segments(more));
    assertThat(type.registry.open())
        .isEqualTo(2 * Settings.SEGMENT_CELLS - Settings.SEGMENT_CELLS / 4);
  }

  private static Set<@Nullable Segment> segments(List<Tracker> trackers) {
    Set<@Nullable Segment> segments = new HashSet<>();
    trackers.forEach(tracker -> segments.add(Segment.of(tracker.index())));
    return segments;
  }

  @Test
  void trim_emptySegments_givesTheirNumbersBack() {
    HandleType type = type("trim");
    List<Tracker> trackers = insert(type, 2 * Settings.SEGMENT_CELLS);
    type.registry.trim();
    assertThat(segments(trackers)).hasSize(2).doesNotContainNull();
    trackers.forEach(Segment::remove);
    type.registry.trim();
    assertThat(segments(trackers))
        .noneMatch(segment -> segment != null && segment.registry.type == type);
    assertThat(insert(type, 1)).allMatch(tracker -> Segment.at(tracker.index()) == tracker);
  }

  @Test
  void trim_aSegmentWithAnOpenRun_keepsIt() {
    HandleType type = type("open range");
    Registry.CellRange range = new Registry.CellRange();
    Tracker tracker = tracker(type);
    type.registry.insert(tracker, range);
    Segment segment = segment(tracker);
    Segment.remove(tracker);
    type.registry.trim();
    assertThat(segment.discarded).isFalse();
    Tracker second = tracker(type);
    type.registry.insert(second, range);
    assertThat(Segment.at(second.index())).isSameAs(second);
    type.registry.giveBack(range);
    Segment.remove(second);
    type.registry.trim();
    assertThat(segment.discarded).isTrue();
  }
}
