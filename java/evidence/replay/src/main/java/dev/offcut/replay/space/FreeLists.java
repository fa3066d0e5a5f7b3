package dev.offcut.replay.space;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The free chunks of a space: for each fixed size a list, the last in the first out; for humongous
 * chunks a dictionary by size.
 */
final class FreeLists {
  private final Map<Chunk.Size, Chunk> heads = new EnumMap<>(Chunk.Size.class);
  private final TreeMap<Long, Deque<Chunk>> humongous = new TreeMap<>();
  private long words;
  private long alignmentWords;
  private long alignmentMaxWords;

  void add(Chunk chunk) {
    if (chunk.size == Chunk.Size.HUMONGOUS) {
      humongous.computeIfAbsent(chunk.words, any -> new ArrayDeque<>()).push(chunk);
    } else {
      push(chunk);
    }
    words += chunk.words;
    if (chunk.isUnusedAlignment()) {
      alignmentWords += chunk.words;
      alignmentMaxWords = Math.max(alignmentMaxWords, alignmentWords);
    }
  }

  void remove(Chunk chunk) {
    if (chunk.size == Chunk.Size.HUMONGOUS) {
      drop(chunk);
    } else {
      unlink(chunk);
    }
    words -= chunk.words;
    alignmentWords -= chunk.isUnusedAlignment() ? chunk.words : 0;
  }

  /** The chunk of this fixed size that was added last, removed; null if there is none. */
  @Nullable Chunk take(Chunk.Size size) {
    Chunk head = heads.get(size);
    if (head != null) {
      remove(head);
    }
    return head;
  }

  /** The least humongous chunk of at least so many words, removed; null if there is none. */
  @Nullable Chunk takeHumongous(long least) {
    Map.Entry<Long, Deque<Chunk>> fitting = humongous.ceilingEntry(least);
    if (fitting == null) {
      return null;
    }
    Chunk chunk = fitting.getValue().getFirst();
    remove(chunk);
    return chunk;
  }

  long words() {
    return words;
  }

  long alignmentWords() {
    return alignmentWords;
  }

  long alignmentMaxWords() {
    return alignmentMaxWords;
  }

  /** The size of the largest chunk; 0 if there is none. */
  long largest() {
    if (!humongous.isEmpty()) {
      return humongous.lastKey();
    }
    return heads.values().stream().mapToLong(chunk -> chunk.words).max().orElse(0);
  }

  /** Every chunk once, whatever its list. Lists are walked, links checked. */
  Set<Chunk> all() {
    Set<Chunk> all = new HashSet<>();
    humongous.values().forEach(all::addAll);
    for (Map.Entry<Chunk.Size, Chunk> list : heads.entrySet()) {
      Chunk before = null;
      for (@Nullable Chunk chunk = list.getValue(); chunk != null; chunk = chunk.next) {
        Space.check(chunk.previous == before, "%s: its list is broken", chunk);
        Space.check(chunk.size == list.getKey(), "%s is in list %s", chunk, list.getKey());
        Space.check(all.add(chunk), "%s is listed twice", chunk);
        before = chunk;
      }
    }
    return all;
  }

  /** The sums are those of the chunks. */
  void verify() {
    long sum = 0;
    long alignment = 0;
    for (Chunk chunk : all()) {
      Space.check(!chunk.inUse, "%s is in a free list", chunk);
      sum += chunk.words;
      alignment += chunk.isUnusedAlignment() ? chunk.words : 0;
    }
    Space.check(sum == words, "%d words are free, %d were counted", sum, words);
    Space.check(alignment == alignmentWords, "%d, not %d alignment", alignment, alignmentWords);
  }

  private void drop(Chunk chunk) {
    Deque<Chunk> same = humongous.get(chunk.words);
    if (same != null) {
      same.remove(chunk);
      if (same.isEmpty()) {
        humongous.remove(chunk.words);
      }
    }
  }

  private void push(Chunk chunk) {
    Chunk head = heads.put(chunk.size, chunk);
    chunk.previous = null;
    chunk.next = head;
    if (head != null) {
      head.previous = chunk;
    }
  }

  private void unlink(Chunk chunk) {
    Chunk before = chunk.previous;
    Chunk after = chunk.next;
    if (before != null) {
      before.next = after;
    } else if (after != null) {
      heads.put(chunk.size, after);
    } else {
      heads.remove(chunk.size);
    }
    if (after != null) {
      after.previous = before;
    }
    chunk.previous = null;
    chunk.next = null;
  }
}
