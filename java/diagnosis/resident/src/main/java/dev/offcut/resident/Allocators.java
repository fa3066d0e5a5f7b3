package dev.offcut.resident;

import static dev.offcut.resident.ProcessMemory.PAGE;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What allocators other than glibc's have, read from their own tables. These begin in the data of
 * the library that brings the allocator, so a private copy within a library is found as well as one
 * that replaces malloc for the whole process.
 *
 * <pre>
 *   jemalloc   library data: roots of 2^18 words ──▶ leaves of 2^18 words, a word for each page
 *                                                    ──▶ the record of the extent that has the page
 *   tcmalloc   library data: roots of 2^17 words ──▶ leaves of 2^18 words, a word for 8 KiB
 *                                                    ──▶ span: its first page, its pages
 *   mimalloc   segments at multiples of 32 MiB; each has its address, mixed with a random word that
 *              is in the library's data, and behind that its length
 *   musl       library data: a list of areas, which begin with a random word that is in that data
 *                                                    ──▶ records ──▶ groups of blocks, their length
 * </pre>
 *
 * A table is believed if what it leads to says the same: a record names its own page, a segment its
 * own address. Sizes and places of fields differ by version, so they are searched. What is not
 * understood is not claimed.
 */
final class Allocators {
  /** That of musl, a C library. */
  static final String MUSL = "musl's malloc";

  private static final long LEAF_WORDS = 1L << 18;
  private static final long LEAF = LEAF_WORDS * Long.BYTES;
  private static final long ADDRESSES = 1L << 47;

  /** Bits that jemalloc has in a word of a leaf beside the address of a record. */
  private static final long JEMALLOC_FLAGS = 63;

  /** Words of a record in which its address is searched. */
  private static final int RECORD_WORDS = 6;

  /** Records that are asked for their own pages, if there are as many. */
  private static final int PROVEN = 64;

  /** So many have to name them for one that does not. */
  private static final int SHARE = 8;

  /** Where jemalloc has its records and tables: blocks at multiples of this, with a header. */
  private static final long BASE = 2L << 20;

  private static final int MOST_BASES_BACK = 1024;

  private static final long SPAN_PAGE = 8 << 10;

  private static final long SEGMENT = 32L << 20;
  private static final long SLICE = 64 << 10;
  private static final long MOST_SLICES = 1 << 24;
  private static final int SEGMENT_WORDS = 64;

  /** Lower results of mixing are no random word, but a pointer within the segment. */
  private static final long LEAST_RANDOM = 1L << 32;

  /** An area of records, and a record. */
  private static final long AREA = 4096;

  private static final long AREA_HEAD = 24;
  private static final long RECORD = 40;
  private static final long MOST_RECORDS = (AREA - AREA_HEAD) / RECORD;

  /** Below the length of a group in its record. */
  private static final int RECORD_FLAGS = 12;

  private final ProcessMemory memory;
  private final List<Mapping> mappings;
  private final Claims claims;
  private final String detail;

  /** {@code detail}: what claims are named. */
  Allocators(ProcessMemory memory, List<Mapping> mappings, Claims claims, String detail) {
    this.memory = memory;
    this.mappings = mappings;
    this.claims = claims;
    this.detail = detail;
  }

  /**
   * Claims what an allocator has whose library has its data, zeroed data included, there. Returns
   * whether its tables were found.
   */
  boolean claim(String allocator, long data, long end) throws IOException {
    return switch (allocator) {
      case "jemalloc" -> tables(data, end, PAGE, this::jemallocRoots, this::claimExtents);
      case "tcmalloc" -> tables(data, end, SPAN_PAGE, this::tcmallocRoots, this::claimSpans);
      case "mimalloc" -> claimSegments(data, end);
      case MUSL -> claimAreas(data, end);
      default -> false;
    };
  }

  private interface RootsOf {
    /** Where the roots begin if this word of them leads to this leaf; 0 if it does not. */
    long find(long word, long leaf) throws IOException;
  }

  private interface Leaf {
    void claim(long leaf, long index) throws IOException;
  }

  /**
   * Roots are words in a row, of which most are 0. Each that is not leads to a leaf. {@code page}:
   * bytes for a word of a leaf.
   */
  private boolean tables(long data, long end, long page, RootsOf rootsOf, Leaf each)
      throws IOException {
    ProcessMemory.Pages pages = memory.pages(data, end);
    Set<Long> refused = new HashSet<>();
    for (long at = data; at < end; at += Long.BYTES) {
      if (!pages.isResident(at)) {
        at = (at & -PAGE) + PAGE - Long.BYTES;
        continue;
      }
      long leaf = pages.word(at);
      if (!isLeaf(leaf) || !refused.add(leaf)) {
        continue;
      }
      long roots = rootsOf.find(at, leaf);
      if (roots >= data) {
        // There are more, for addresses that no program has; or something else.
        long used = ADDRESSES / page / LEAF_WORDS * Long.BYTES;
        claimLeaves(pages, roots, Math.min(end, roots + used), each);
        return true;
      }
    }
    return false;
  }

  private void claimLeaves(ProcessMemory.Pages pages, long roots, long end, Leaf each)
      throws IOException {
    for (long at = roots; at < end; at += Long.BYTES) {
      if (!pages.isResident(at)) {
        at = (at & -PAGE) + PAGE - Long.BYTES;
        continue;
      }
      long leaf = pages.word(at);
      if (isLeaf(leaf)) {
        each.claim(leaf, (at - roots) / Long.BYTES);
      }
    }
  }

  private boolean isLeaf(long address) {
    return address > 0
        && address < ADDRESSES
        && address % Long.BYTES == 0
        && mayBeOne(address)
        && mayBeOne(address + LEAF - 1);
  }

  /** Whether it may be an allocator's: no part of the JVM's is looked at. */
  private boolean mayBeOne(long address) {
    int index = Mapping.indexOf(mappings, address);
    if (index < 0) {
      return false;
    }
    Mapping mapping = mappings.get(index);
    if (!mapping.isWritable() || !(mapping.isAnonymous() || mapping.path().equals("[heap]"))) {
      return false;
    }
    Claims.Claim claim = claims.atOrAfter(address);
    return claim == null || claim.start() > address || claim.part() == Part.ALLOCATOR;
  }

  /** The words of a leaf in pages that are resident. */
  private interface Word {
    /** Whether to go on. */
    boolean see(long index, long word) throws IOException;
  }

  private void words(long leaf, Word seen) throws IOException {
    ProcessMemory.Pages pages = memory.pages(leaf & -PAGE, (leaf + LEAF + PAGE - 1) & -PAGE);
    long[] words = new long[(int) PAGE / Long.BYTES];
    for (long at = leaf; at < leaf + LEAF; ) {
      long end = Math.min(leaf + LEAF, (at & -PAGE) + PAGE);
      int count = pages.isResident(at) ? (int) (end - at) / Long.BYTES : 0;
      for (int i = 0; i < count; i++) {
        words[i] = pages.word(at + i * (long) Long.BYTES);
      }
      // Read at once: what is done with a word may read memory, too.
      for (int i = 0; i < count; i++) {
        if (words[i] != 0 && !seen.see((at - leaf) / Long.BYTES + i, words[i])) {
          return;
        }
      }
      at = end;
    }
  }

  /** The page that was read last: records lie close to each other. */
  private ProcessMemory.@Nullable Pages last;

  /** -1 if nobody can read it. */
  private long word(long address) throws IOException {
    if (last == null || !last.contains(address)) {
      long page = address & -PAGE;
      last = memory.pages(page, page + PAGE);
    }
    return last.word(address & -Long.BYTES);
  }

  // jemalloc

  /** The address of a record; 0 if there is none. */
  private static long record(long word) {
    return (word << 16 >> 16) & ~JEMALLOC_FLAGS;
  }

  /** By the field in which records name their addresses, in whatever place that is. */
  private long jemallocRoots(long word, long leaf) throws IOException {
    for (int field = 0; field < RECORD_WORDS; field++) {
      Votes votes = new Votes();
      int place = field * Long.BYTES;
      words(
          leaf,
          (index, entry) -> {
            long record = record(entry);
            if (record == 0 || record == votes.last) {
              return true; // nobody's by now, or the same extent's next page
            }
            votes.last = record;
            long address = mayBeOne(record) ? word(record + place) : 0;
            boolean isNamed =
                address > 0 && address < ADDRESSES && (address / PAGE) % LEAF_WORDS == index;
            return votes.count(isNamed ? address / PAGE / LEAF_WORDS : -1);
          });
      if (votes.isProven()) {
        return word - votes.index * Long.BYTES;
      }
    }
    return 0;
  }

  /**
   * What records say about the place of their leaf. A few may say nothing: of an extent that begins
   * in the leaf before, or that changes while it is read.
   */
  private static final class Votes {
    private long last = -1;
    private long index = -1;
    private int agreed;
    private int others;

    /** Whether more are needed. */
    boolean count(long said) {
      if (said >= 0 && (index < 0 || index == said)) {
        index = said;
        agreed++;
      } else {
        others++;
      }
      return agreed + others < PROVEN;
    }

    boolean isProven() {
      return agreed > SHARE * others;
    }
  }

  private final TreeMap<Long, Long> bases = new TreeMap<>();

  /** An extent is in the leaf with its first and its last page, a slab with all. */
  private void claimExtents(long leaf, long index) throws IOException {
    long start = index * LEAF_WORDS * PAGE;
    claimBase(leaf);
    Extent extent = new Extent();
    words(
        leaf,
        (page, entry) -> {
          long record = record(entry);
          long address = start + page * PAGE;
          if (record == 0) {
            return true; // it was an extent's first or last page once
          }
          if (record != extent.record) {
            extent.claim();
            claimBase(record);
            extent.record = record;
            extent.first = address;
          }
          extent.end = address + PAGE;
          return true;
        });
    extent.claim();
  }

  private final class Extent {
    private long record;
    private long first;
    private long end;

    void claim() {
      claims.add(first, end, Part.ALLOCATOR, detail);
    }
  }

  /** A block of jemalloc's own: its size, and the block before it. */
  private void claimBase(long address) throws IOException {
    Map.Entry<Long, Long> known = bases.floorEntry(address);
    if (known != null && known.getValue() > address) {
      return;
    }
    long start = address & -BASE;
    for (int back = 0; back < MOST_BASES_BACK && mayBeOne(start); back++, start -= BASE) {
      long size = word(start);
      long before = word(start + Long.BYTES);
      if (size > 0 && size % BASE == 0 && start + size > address && before % BASE == 0) {
        bases.put(start, start + size);
        claims.add(start, start + size, Part.ALLOCATOR, detail);
        return;
      }
    }
  }

  // tcmalloc

  private long tcmallocRoots(long word, long leaf) throws IOException {
    Votes votes = new Votes();
    words(
        leaf,
        (index, span) -> {
          if (span == votes.last) {
            return true; // the same span's next page
          }
          votes.last = span;
          long first = mayBeOne(span) ? word(span) : 0;
          boolean isNamed =
              first > 0 && first < ADDRESSES / SPAN_PAGE && first % LEAF_WORDS == index;
          return votes.count(isNamed ? first / LEAF_WORDS : -1);
        });
    return votes.isProven() ? word - votes.index * Long.BYTES : 0;
  }

  private void claimSpans(long leaf, long index) throws IOException {
    claims.add(leaf & -PAGE, (leaf + LEAF + PAGE - 1) & -PAGE, Part.ALLOCATOR, detail);
    long start = index * LEAF_WORDS;
    Extent metadata = new Extent();
    long[] next = {0};
    words(
        leaf,
        (page, span) -> {
          if (page >= next[0] && mayBeOne(span) && word(span) == start + page) {
            long pages = word(span + Long.BYTES);
            next[0] = page + pages;
            long from = (start + page) * SPAN_PAGE;
            claims.add(from, from + pages * SPAN_PAGE, Part.ALLOCATOR, detail);
            addMetadata(metadata, span);
          }
          return true;
        });
    metadata.claim();
  }

  /** Spans lie close to each other, with other records of tcmalloc between them. */
  private void addMetadata(Extent metadata, long span) {
    int index = Mapping.indexOf(mappings, span);
    boolean isNear =
        metadata.end != 0 && mappings.get(index).contains(metadata.first) && span >= metadata.first;
    if (!isNear) {
      metadata.claim();
      metadata.first = span & -PAGE;
      metadata.end = 0;
    }
    metadata.end = Math.max(metadata.end, (span & -PAGE) + PAGE);
  }

  /** All words of a library's data. */
  private Set<Long> words(long data, long end) throws IOException {
    Set<Long> words = new HashSet<>();
    ProcessMemory.Pages pages = memory.pages(data, end);
    for (long at = data; at < end; at += Long.BYTES) {
      if (pages.isResident(at)) {
        words.add(pages.word(at));
      }
    }
    return words;
  }

  // mimalloc

  /** A segment is one if what its address was mixed with is in the library's data. */
  private boolean claimSegments(long data, long end) throws IOException {
    Set<Long> words = words(data, end);
    List<Long> segments = new ArrayList<>();
    int[] places = new int[SEGMENT_WORDS];
    for (Mapping mapping : mappings) {
      if (mapping.isAnonymous() && mapping.isWritable() && mapping.resident() > 0) {
        long at = (mapping.start() + SEGMENT - 1) & -SEGMENT;
        for (; at < mapping.end(); at += SEGMENT) {
          if (claims.isFree(at, at + PAGE) && vote(at, words, places)) {
            segments.add(at);
          }
        }
      }
    }
    int place = 0;
    for (int i = 0; i < SEGMENT_WORDS; i++) {
      place = places[i] > places[place] ? i : place;
    }
    for (long segment : segments) {
      long slices = slices(segment, place, words);
      claims.add(segment, segment + slices * SLICE, Part.ALLOCATOR, detail);
    }
    return !segments.isEmpty();
  }

  /** Of the places at which a segment may have its mixed address; whether there is any. */
  private boolean vote(long segment, Set<Long> words, int[] places) throws IOException {
    boolean any = false;
    for (int place = 0; place < SEGMENT_WORDS - 1; place++) {
      if (slices(segment, place, words) > 0) {
        places[place]++;
        any = true;
      }
    }
    return any;
  }

  /** Of a segment its length, if that is the place; else 0. */
  private long slices(long segment, int place, Set<Long> words) throws IOException {
    long at = segment + place * (long) Long.BYTES;
    long mixed = word(at) ^ segment;
    long slices = word(at + Long.BYTES);
    boolean isOne =
        Long.compareUnsigned(mixed, LEAST_RANDOM) >= 0
            && words.contains(mixed)
            && slices > 0
            && slices <= MOST_SLICES;
    return isOne ? slices : 0;
  }

  // musl

  /**
   * Areas of records are a list that begins in the library's data. Each begins with a random word
   * that is there, too.
   */
  private boolean claimAreas(long data, long end) throws IOException {
    Set<Long> words = words(data, end);
    Set<Long> areas = new HashSet<>();
    for (long first : words) {
      for (long area = first; isArea(area, words) && areas.add(area); ) {
        claimGroups(area);
        area = word(area + Long.BYTES);
      }
    }
    return !areas.isEmpty();
  }

  private boolean isArea(long address, Set<Long> words) throws IOException {
    if (address <= 0 || address % AREA != 0 || !mayBeOne(address)) {
      return false;
    }
    long check = word(address);
    return Long.compareUnsigned(check, LEAST_RANDOM) >= 0 && check != -1 && words.contains(check);
  }

  /** A group names its record. One without a length is inside another. */
  private void claimGroups(long area) throws IOException {
    claims.add(area, area + AREA, Part.ALLOCATOR, detail);
    long records = Math.min(MOST_RECORDS, word(area + 2 * Long.BYTES) & 0xffff);
    for (int i = 0; i < records; i++) {
      long record = area + AREA_HEAD + i * RECORD;
      long group = word(record + 2 * Long.BYTES);
      long length = (word(record + 4 * Long.BYTES) >>> RECORD_FLAGS) * AREA;
      if (length > 0 && group > 0 && mayBeOne(group) && word(group) == record) {
        claims.add(group, group + length, Part.ALLOCATOR, detail);
      }
    }
  }
}
