package dev.offcut.resident;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Resident bytes by part and detail. They add up to what all mappings have in memory. */
final class Sums {
  /** A mapped file that has less in memory is told with all others. */
  private static final long LEAST_NAMED = 1L << 20;

  /** So many of the largest of a part are named, since some programs map a hundred thousand. */
  private static final int MOST_NAMED = 100;

  /** In a larger mapping nobody looks again: each GiB takes some 2 ms. */
  private static final long MOST_LOOKED_AT = 4L << 30;

  /** What bytes are added up by. */
  private record Key(Part part, String detail) {}

  private final Map<Key, Long> bytes = new HashMap<>();
  private final Claims claims;
  private final ProcessMemory memory;
  private final List<Unexplained> unexplained = new ArrayList<>();
  private long resident;

  /** What of a mapping nobody claims. */
  private record Unexplained(Mapping mapping, long bytes) {}

  Sums(List<Mapping> mappings, Claims claims, ProcessMemory memory) throws IOException {
    this.claims = claims;
    this.memory = memory;
    for (Mapping mapping : mappings) {
      resident += mapping.resident();
      if (mapping.resident() > 0) {
        add(mapping);
      }
    }
  }

  long resident() {
    return resident;
  }

  private void add(Part part, String detail, long more) {
    add(bytes, new Key(part, detail), more);
  }

  private void add(Mapping mapping) throws IOException {
    Claims.Claim first = claims.atOrAfter(mapping.start());
    if (first == null || first.start() >= mapping.end()) {
      addUnexplained(mapping, mapping.resident());
    } else if (first.start() <= mapping.start() && first.end() >= mapping.end()) {
      addWhole(mapping, first);
    } else if (memory.hasPages()) {
      addPieces(mapping);
    } else {
      addWhole(mapping, first); // the larger part of it, as far as anybody can tell
    }
  }

  private static void add(Map<Key, Long> sums, Key key, long more) {
    sums.put(key, sums.getOrDefault(key, 0L) + more);
  }

  private void addUnexplained(Mapping mapping, long more) {
    add(Part.UNEXPLAINED, "", more);
    unexplained.add(new Unexplained(mapping, more));
  }

  /** Pages that ZGC maps several times belong to the heap once. */
  private void addWhole(Mapping mapping, Claims.Claim claim) {
    if (claim.part() == Part.HEAP_USED && mapping.isShared()) {
      add(claim.part(), "", mapping.proportional());
      add(Part.HEAP_AGAIN, "", mapping.resident() - mapping.proportional());
    } else {
      add(claim.part(), claim.detail(), mapping.resident());
    }
  }

  /** By pages. The system counted them a moment before, so the largest piece takes the rest. */
  private void addPieces(Mapping mapping) throws IOException {
    ProcessMemory.Pages pages = memory.pages(mapping.start(), mapping.end());
    Map<Key, Long> pieces = new HashMap<>();
    for (long at = mapping.start(); at < mapping.end(); ) {
      Claims.Claim claim = claims.atOrAfter(at);
      Key key = new Key(Part.UNEXPLAINED, "");
      long end = mapping.end();
      if (claim != null && claim.start() <= at) {
        key = new Key(claim.part(), claim.detail());
        end = Math.min(end, claim.end());
      } else if (claim != null) {
        end = Math.min(end, claim.start());
      }
      add(pieces, key, pages.residentBytes(at, end));
      at = end;
    }
    long left = mapping.resident();
    List<Map.Entry<Key, Long>> byBytes = new ArrayList<>(pieces.entrySet());
    byBytes.sort(Map.Entry.comparingByValue());
    for (int i = 0; i < byBytes.size(); i++) {
      Map.Entry<Key, Long> piece = byBytes.get(i);
      long part = i == byBytes.size() - 1 ? left : Math.min(left, piece.getValue());
      if (piece.getKey().part() == Part.UNEXPLAINED) {
        addUnexplained(mapping, part);
      } else {
        add(piece.getKey().part(), piece.getKey().detail(), part);
      }
      left -= part;
    }
  }

  /**
   * What is unexplained in mappings that have more or less in memory by now. Somebody allocated or
   * freed it while the owners were asked, so they may not have told of it. 0 if nobody may look.
   */
  long moved() throws IOException {
    long moved = 0;
    for (Unexplained one : unexplained) {
      Mapping mapping = one.mapping();
      if (one.bytes() > 0 && memory.hasPages() && mapping.size() <= MOST_LOOKED_AT) {
        ProcessMemory.Pages pages = memory.pages(mapping.start(), mapping.end());
        long now = pages.residentBytes(mapping.start(), mapping.end());
        moved += Math.min(one.bytes(), Math.abs(now - mapping.resident()));
      }
    }
    return moved;
  }

  /** Of malloc what it keeps, and of the heap what is free. */
  void split(GlibcMalloc.Sizes malloc, JvmRanges jvm) {
    take(Part.MALLOC_USED, Part.MALLOC_TRIMMABLE, malloc.trimmable());
    take(Part.MALLOC_USED, Part.MALLOC_FRAGMENTED, malloc.fragmented());
    take(Part.MALLOC_USED, Part.MALLOC_UNREAD, malloc.unread());
    take(Part.MALLOC_USED, Part.MALLOC_JVM, Math.max(0, jvm.malloc()));
    if (jvm.heapUsed() >= 0) {
      take(Part.HEAP_USED, Part.HEAP_FREE, Math.max(0, sum(Part.HEAP_USED) - jvm.heapUsed()));
    }
  }

  /** Of the Go heap what is used for what, and of what nobody claims the tables of the runtime. */
  void split(GoProgram.Figures go) {
    take(Part.GO_HEAP, Part.GO_STACKS, go.stacks());
    take(Part.GO_HEAP, Part.GO_OBJECTS, go.objects());
    take(Part.GO_HEAP, Part.GO_FREE, sum(Part.GO_HEAP));
    take(Part.UNEXPLAINED, Part.GO_RUNTIME, go.metadata());
  }

  /** Of a part without what has a detail. */
  long sum(Part part) {
    return bytes.getOrDefault(new Key(part, ""), 0L);
  }

  private void take(Part from, Part to, long wanted) {
    long moved = Math.min(wanted, sum(from));
    if (moved > 0) {
      add(from, "", -moved);
      add(to, "", moved);
    }
  }

  List<Account.Row> rows() {
    List<Account.Row> rows = new ArrayList<>();
    Map<Part, Long> small = new TreeMap<>();
    Map<Part, Integer> named = new HashMap<>();
    List<Map.Entry<Key, Long>> bySize = new ArrayList<>(bytes.entrySet());
    bySize.sort(Map.Entry.comparingByValue());
    for (int i = bySize.size() - 1; i >= 0; i--) {
      Key key = bySize.get(i).getKey();
      long sum = bySize.get(i).getValue();
      if (key.detail().isEmpty()
          || sum < LEAST_NAMED
          || named.merge(key.part(), 1, Integer::sum) > MOST_NAMED) {
        small.put(key.part(), small.getOrDefault(key.part(), 0L) + sum);
      } else {
        rows.add(new Account.Row(key.part(), key.detail(), sum));
      }
    }
    for (Map.Entry<Part, Long> entry : small.entrySet()) {
      if (entry.getValue() > 0) {
        rows.add(new Account.Row(entry.getKey(), "", entry.getValue()));
      }
    }
    rows.sort(
        Comparator.comparing(Account.Row::part)
            .thenComparing(Account.Row::bytes, Comparator.reverseOrder()));
    return List.copyOf(rows);
  }
}
