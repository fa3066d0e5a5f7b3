package dev.offcut.resident;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A program that the Go compiler made, by what Go's linker writes into each of them: the release of
 * Go, and the modules. It also stands in programs without symbols.
 *
 * @param version the release, as {@code go1.26.8}; empty if it is from before 1.18
 * @param modules the main module and those that it is built with, by their paths
 */
public record GoProgram(String version, List<String> modules) {
  /** What the Go runtime says of its memory, in bytes. */
  public record Figures(long objects, long stacks, long metadata) {}

  private static final String SECTION = ".go.buildinfo";
  private static final byte[] MAGIC = "\u00ff Go buildinf:".getBytes(StandardCharsets.ISO_8859_1);

  /** Behind the magic bytes: whether texts follow, and are not only referred to. */
  private static final int FLAGS_AT = 15;

  private static final int INLINE = 2;
  private static final int TEXTS_AT = 32;

  private static final int ELF = 0x464c457f; // read as little-endian
  private static final int ELF_HEADER = 64;
  private static final int WIDE = 2;
  private static final int LITTLE_ENDIAN = 1;
  private static final int SECTION_BYTES = 64;

  /** More sections, or a longer text, are not Go's. */
  private static final int MOST_SECTIONS = 1 << 16;

  private static final int MOST_BYTES = 16 << 20;

  /** Go gets memory for its heap in pieces of this size, at multiples of it. */
  private static final long ARENA = 64L << 20;

  /** malloc's arenas have such pieces, too, and begin with their own address and a little. */
  private static final long MOST_MALLOC_HEADER = 256;

  /** Linux gives addresses above this one to whoever has no wish; Go has one for its heap. */
  private static final long UNWISHED = 0x7000_0000_0000L;

  /**
   * Reads what kind of program a file is.
   *
   * @param file the program
   * @return what is known of it; null if it is no program of Go's for 64-bit Linux
   */
  public static @Nullable GoProgram of(Path file) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer header = Libraries.read(channel, 0, ELF_HEADER);
      if (header.limit() < ELF_HEADER
          || header.getInt(0) != ELF
          || header.get(4) != WIDE
          || header.get(5) != LITTLE_ENDIAN) {
        return null;
      }
      ByteBuffer section = section(channel, header);
      return section == null ? null : parse(section);
    } catch (IOException | IndexOutOfBoundsException e) {
      return null; // not there, not for us, or damaged
    }
  }

  private static @Nullable ByteBuffer section(FileChannel channel, ByteBuffer header)
      throws IOException {
    long at = header.getLong(40);
    int count = Short.toUnsignedInt(header.getShort(60));
    int names = Short.toUnsignedInt(header.getShort(62));
    if (at == 0 || count > MOST_SECTIONS || names >= count) {
      return null;
    }
    ByteBuffer sections = Libraries.read(channel, at, count * SECTION_BYTES);
    ByteBuffer text = content(channel, sections, names);
    String all = StandardCharsets.ISO_8859_1.decode(text).toString();
    for (int i = 0; i < count; i++) {
      int name = sections.getInt(i * SECTION_BYTES);
      if (name >= 0 && name < all.length() && all.startsWith(SECTION + "\0", name)) {
        return content(channel, sections, i);
      }
    }
    return null;
  }

  private static ByteBuffer content(FileChannel channel, ByteBuffer sections, int index)
      throws IOException {
    long at = sections.getLong(index * SECTION_BYTES + 24);
    long bytes = sections.getLong(index * SECTION_BYTES + 32);
    return Libraries.read(channel, at, (int) Math.min(MOST_BYTES, Math.max(0, bytes)));
  }

  private static @Nullable GoProgram parse(ByteBuffer section) {
    for (int i = 0; i < MAGIC.length; i++) {
      if (section.get(i) != MAGIC[i]) {
        return null;
      }
    }
    if ((section.get(FLAGS_AT) & INLINE) == 0) {
      return new GoProgram("", List.of());
    }
    section.position(TEXTS_AT);
    String version = text(section);
    List<String> modules =
        text(section)
            .lines()
            .map(line -> line.split("\t", -1))
            .filter(line -> line.length > 1 && (line[0].equals("mod") || line[0].equals("dep")))
            .map(line -> line[1])
            .toList();
    // An experiment stands behind the release.
    return new GoProgram(version.split(" ", 2)[0], modules);
  }

  /** Its length in groups of seven bits, the lowest first, then its bytes. */
  private static String text(ByteBuffer from) {
    int length = 0;
    for (int shift = 0; shift < 28; shift += 7) {
      byte group = from.get();
      length |= (group & 0x7f) << shift;
      if (group >= 0) {
        break;
      }
    }
    if (length > from.remaining()) {
      throw new IndexOutOfBoundsException(length);
    }
    byte[] bytes = new byte[length];
    from.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /**
   * Claims the heap: whole pieces that lie by themselves. An arena of malloc may look the same, but
   * for what stands at its beginning; if nobody may read that, the address decides.
   */
  static void claimHeap(List<Mapping> mappings, ProcessMemory memory, Claims claims)
      throws IOException {
    for (int first = 0; first < mappings.size(); ) {
      int next = first + 1;
      long end = mappings.get(first).end();
      while (next < mappings.size()
          && mappings.get(next).start() == end
          && isPrivate(mappings.get(next))) {
        end = mappings.get(next).end();
        next++;
      }
      long start = mappings.get(first).start();
      if (isPrivate(mappings.get(first))
          && start % ARENA == 0
          && end % ARENA == 0
          && !isMalloc(memory, start)) {
        claims.add(start, end, Part.GO_HEAP);
      }
      first = next;
    }
  }

  private static boolean isPrivate(Mapping mapping) {
    return mapping.isAnonymous() && !mapping.isShared();
  }

  private static boolean isMalloc(ProcessMemory memory, long start) throws IOException {
    if (!memory.isReadable()) {
      return start >= UNWISHED;
    }
    long state = memory.pages(start, start + ProcessMemory.PAGE).word(start);
    long home = state & -ARENA;
    if (state == home || state - home > MOST_MALLOC_HEADER) {
      return false;
    }
    return home == start || memory.pages(home, home + ProcessMemory.PAGE).word(home) == state;
  }
}
