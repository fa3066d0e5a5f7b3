package dev.offcut.replay.space;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The free chunks of a space: for each size a list, the last in the first out. */
final class FreeLists {
  private final TreeMap<Long, LinkedHashSet<Chunk>> lists = new TreeMap<>();
  private long alignmentWords;

  /** Of all of them. */
  long words;

  /** The most that was in chunks cut for alignment and not used since. */
  long alignmentMaxWords;

  void add(Chunk chunk) {
    lists.computeIfAbsent(chunk.words, any -> new LinkedHashSet<>()).add(chunk);
    words += chunk.words;
    if (chunk.isUnusedAlignment()) {
      alignmentWords += chunk.words;
      alignmentMaxWords = Math.max(alignmentMaxWords, alignmentWords);
    }
  }

  void remove(Chunk chunk) {
    lists.computeIfPresent(
        chunk.words,
        (any, list) -> {
          list.remove(chunk);
          return list.isEmpty() ? null : list;
        });
    words -= chunk.words;
    alignmentWords -= chunk.isUnusedAlignment() ? chunk.words : 0;
  }

  /** The chunk of exactly so many words that was added last, removed; null if there is none. */
  @Nullable Chunk take(long size) {
    return takeLast(lists.get(size));
  }

  /** The least chunk of at least so many words, removed; null if there is none. */
  @Nullable Chunk takeAtLeast(long least) {
    Map.Entry<Long, LinkedHashSet<Chunk>> fitting = lists.ceilingEntry(least);
    return takeLast(fitting == null ? null : fitting.getValue());
  }

  private @Nullable Chunk takeLast(@Nullable SequencedSet<Chunk> list) {
    if (list == null) {
      return null;
    }
    Chunk chunk = list.getLast();
    remove(chunk);
    return chunk;
  }

  /** The size of the largest chunk; 0 if there is none. */
  long largest() {
    return lists.isEmpty() ? 0 : lists.lastKey();
  }
}
