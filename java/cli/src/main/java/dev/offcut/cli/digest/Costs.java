package dev.offcut.cli.digest;

import dev.offcut.cli.digest.Recorded.Latest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedClassLoader;
import jdk.jfr.consumer.RecordedEvent;
import org.jspecify.annotations.Nullable;

/** What native memory costs the program, and what the agent keeps it from. */
final class Costs {
  private final Map<List<String>, Long> forced = new LinkedHashMap<>();
  private final Latest<String, Digest.Finalizers> finalizers = new Latest<>();
  private final Latest<String, Digest.Saved> saved = new Latest<>();
  private final Latest<Long, Digest.Loaders> loaders = new Latest<>();

  void forced(RecordedEvent event) {
    forced.merge(Recorded.stack(event), 1L, Long::sum);
  }

  void finalizer(RecordedEvent event) {
    String type = Recorded.text(event, "type");
    finalizers.put(
        type,
        event.getStartTime(),
        new Digest.Finalizers(
            type, Recorded.number(event, "registered"), Recorded.number(event, "run")));
  }

  void saved(RecordedEvent event) {
    String feature = Recorded.text(event, "feature");
    saved.put(
        feature,
        event.getStartTime(),
        new Digest.Saved(
            feature,
            Recorded.number(event, "done"),
            Recorded.number(event, "saved"),
            Recorded.text(event, "unit")));
  }

  void loader(RecordedEvent event) {
    RecordedClassLoader loader = event.getValue("classLoader");
    loaders.put(
        loader == null ? 0 : loader.getId(),
        event.getStartTime(),
        new Digest.Loaders(
            1,
            Recorded.number(event, "chunkSize") + Recorded.number(event, "hiddenChunkSize"),
            Recorded.number(event, "blockSize") + Recorded.number(event, "hiddenBlockSize")));
  }

  /** The most frequent first. */
  List<Digest.Forced> forcedCollections() {
    List<Digest.Forced> all = new ArrayList<>();
    forced.forEach((frames, count) -> all.add(new Digest.Forced(count, frames)));
    all.sort(Comparator.comparingLong(Digest.Forced::count).reversed());
    return all;
  }

  /** The most frequent first. */
  List<Digest.Finalizers> finalizers() {
    return finalizers.all().stream()
        .sorted(
            Comparator.comparingLong(Digest.Finalizers::registered)
                .reversed()
                .thenComparing(Digest.Finalizers::type))
        .toList();
  }

  /** Of features that had anything to do. */
  List<Digest.Saved> saved() {
    return saved.all().stream().filter(one -> one.done() > 0 || one.saved() > 0).toList();
  }

  Digest.@Nullable Loaders loaders() {
    List<Digest.Loaders> all = loaders.inLastRound();
    if (all.isEmpty()) {
      return null;
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
