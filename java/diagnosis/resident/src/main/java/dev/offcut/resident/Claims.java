package dev.offcut.resident;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Which addresses belong to which part. Whoever claims an address first keeps it. */
final class Claims {
  /**
   * Addresses of one part.
   *
   * @param detail names them within the part: a file, an allocator; or empty
   */
  record Claim(long start, long end, Part part, String detail) {}

  private final TreeMap<Long, Claim> byStart = new TreeMap<>();

  /** Claims what of these addresses nobody has claimed. */
  void add(long start, long end, Part part, String detail) {
    long at = start;
    Map.Entry<Long, Claim> before = byStart.floorEntry(start);
    if (before != null) {
      at = Math.max(at, before.getValue().end());
    }
    while (at < end) {
      Map.Entry<Long, Claim> next = byStart.ceilingEntry(at);
      long until = next == null ? end : Math.min(end, next.getKey());
      if (until > at) {
        byStart.put(at, new Claim(at, until, part, detail));
      }
      at = next == null ? end : next.getValue().end();
    }
  }

  void add(long start, long end, Part part) {
    add(start, end, part, "");
  }

  void add(Mapping mapping, Part part, String detail) {
    add(mapping.start(), mapping.end(), part, detail);
  }

  /** The claim that holds the address, or the first one behind it; null if there is none. */
  @Nullable Claim atOrAfter(long address) {
    Map.Entry<Long, Claim> before = byStart.floorEntry(address);
    if (before != null && before.getValue().end() > address) {
      return before.getValue();
    }
    Map.Entry<Long, Claim> after = byStart.higherEntry(address);
    return after == null ? null : after.getValue();
  }

  /** Whether nobody has claimed any of these addresses. */
  boolean isFree(long start, long end) {
    Claim claim = atOrAfter(start);
    return claim == null || claim.start() >= end;
  }
}
