package dev.offcut.command.read;

import dev.offcut.command.read.Recorded.Latest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What native memory costs the program, and what the agent keeps it from. */
public final class Costs {
  private final Map<CallSite, Long> forced = new LinkedHashMap<>();
  private final Latest<String, Digest.Finalizers> finalizers = new Latest<>();
  private final Latest<String, Digest.Saved> saved = new Latest<>();
  private final Latest<Long, Digest.Loaders> loaders = new Latest<>();

  /**
   * A thread that frees what became unreachable, and does not come back from a call.
   *
   * @param seconds how long it has been there
   * @param waiting how many objects wait for it; -1 if that is not known
   */
  public record Stuck(String thread, CallSite at, double seconds, long waiting) {}

  private final Latest<String, Stuck> stuck = new Latest<>();

  private Digest.@Nullable Loaders together;

  void stuck(Fields row) {
    List<String> frames = row.lines("stack");
    Instant since = row.instant("since");
    if (frames.isEmpty() || since == null) {
      return;
    }
    stuck.put(
        row.text("thread"),
        row.time(),
        new Stuck(
            row.text("thread"),
            new CallSite(frames, Math.clamp(row.number("line"), 0, frames.size() - 1), List.of()),
            Duration.between(since, row.time()).toMillis() / 1000.0,
            row.number("waiting", -1)));
  }

  /** Those that were stuck when that was last looked at. */
  public List<Stuck> stuck() {
    return stuck.all();
  }

  void forced(Fields event) {
    List<String> frames = event.stack();
    int own =
        event.has("line")
            ? Math.clamp(event.number("line"), 0, Math.max(0, frames.size() - 1))
            : KnownLibraries.own(frames);
    forced.merge(
        new CallSite(frames, own, event.lines("through")), event.number("count", 1), Long::sum);
  }

  void finalizer(Fields event) {
    String type = event.text("type");
    finalizers.put(
        type,
        event.time(),
        new Digest.Finalizers(type, event.number("registered"), event.number("run")));
  }

  void saved(Fields event) {
    String feature = event.text("feature");
    saved.put(
        feature,
        event.time(),
        new Digest.Saved(feature, event.number("done"), event.number("saved"), event.text("unit")));
  }

  void loader(Fields event) {
    loaders.put(
        event.number(Recorded.LOADER),
        event.time(),
        new Digest.Loaders(
            1,
            event.number("chunkSize") + event.number("hiddenChunkSize"),
            event.number("blockSize") + event.number("hiddenBlockSize")));
  }

  /** What is known of all together, where nobody tells of each. */
  public void loaders(Fields row) {
    if (row.number("committed") > 0) {
      together =
          new Digest.Loaders(row.number("loaders"), row.number("committed"), row.number("used"));
    }
  }

  public List<Digest.Forced> forcedCollections() {
    List<Digest.Forced> all = new ArrayList<>();
    forced.forEach((at, count) -> all.add(new Digest.Forced(count, at.frames(), at.ownAt())));
    all.sort(Comparator.comparingLong(Digest.Forced::count).reversed());
    return all;
  }

  public List<Digest.Finalizers> finalizers() {
    return finalizers.all().stream()
        .sorted(
            Comparator.comparingLong(Digest.Finalizers::registered)
                .reversed()
                .thenComparing(Digest.Finalizers::type))
        .toList();
  }

  List<Digest.Saved> saved() {
    return saved.all().stream().filter(one -> one.done() > 0 || one.saved() > 0).toList();
  }

  public Digest.@Nullable Loaders loaders() {
    List<Digest.Loaders> all = loaders.inLastRound();
    if (all.isEmpty()) {
      return together;
    }
    // Older JVMs give words, though the event says bytes: the smallest chunk has 1 KiB.
    boolean inWords = all.stream().anyMatch(one -> one.committed() % 1024 != 0);
    long unit = inWords ? Long.BYTES : 1;
    return new Digest.Loaders(
        all.size(),
        unit * all.stream().mapToLong(Digest.Loaders::committed).sum(),
        unit * all.stream().mapToLong(Digest.Loaders::used).sum());
  }
}
