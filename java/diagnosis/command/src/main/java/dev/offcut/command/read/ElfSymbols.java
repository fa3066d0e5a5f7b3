package dev.offcut.command.read;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The functions of a program or library by their addresses: those of its symbol tables, and, where
 * they are installed, those of its debug information (by build id or {@code .gnu_debuglink}). ELF
 * of 64 bits, little-endian. A file that is none, or is damaged, has no functions.
 */
public final class ElfSymbols {
  /** No file of symbols is larger. */
  private static final long MOST_BYTES = 4L << 30;

  private static final Path DEBUG = Path.of("/usr/lib/debug");

  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

  private static final int MAGIC = 'F' << 24 | 'L' << 16 | 'E' << 8 | 0x7f;
  private static final int IS_64_LITTLE = 0x102;

  // Sections.
  private static final int SYMTAB = 2;
  private static final int NOTE = 7;
  private static final int DYNSYM = 11;

  private static final int SYMBOL = 24;
  private static final int FUNCTION = 2;
  private static final int BUILD_ID = 3;

  private static final String GO_TEXT = "runtime.text";
  private static final String GO_TABLE = ".gopclntab";

  /** A function without a size reaches to the next one, but no further than this. */
  private static final long FARTHEST = 1 << 16;

  private record Function(MemorySegment names, int at, long size) {
    String name() {
      return names.getString(Integer.toUnsignedLong(at), StandardCharsets.UTF_8);
    }
  }

  private record Section(int type, int link, long address, long offset, long size, String name) {}

  private final TreeMap<Long, Function> functions = new TreeMap<>();
  private @Nullable GoLines goLines;

  private ElfSymbols() {}

  static ElfSymbols of(Path file) {
    ElfSymbols symbols = new ElfSymbols();
    read(
        file,
        (elf, sections) -> {
          symbols.add(elf, sections);
          debug(file, elf, sections).stream()
              .filter(Files::isReadable)
              .findFirst()
              .ifPresent(debug -> read(debug, symbols::add));
        });
    return symbols;
  }

  private static List<Path> debug(Path file, MemorySegment elf, List<Section> sections) {
    List<Path> places = new ArrayList<>();
    for (Section section : sections) {
      if (section.type == NOTE && section.name.equals(".note.gnu.build-id")) {
        String id = buildId(elf, section);
        if (id.length() > 2) {
          places.add(
              DEBUG.resolve(".build-id/" + id.substring(0, 2) + "/" + id.substring(2) + ".debug"));
        }
      } else if (section.name.equals(".gnu_debuglink")) {
        Path beside = file.toAbsolutePath().resolveSibling(elf.getString(section.offset));
        places.add(DEBUG.resolve(Path.of("/").relativize(beside)));
        places.add(beside);
      }
    }
    return places;
  }

  private static String buildId(MemorySegment elf, Section note) {
    int name = elf.get(INT, note.offset);
    int size = elf.get(INT, note.offset + 4);
    long at = note.offset + 12 + (name + 3 & ~3);
    return elf.get(INT, note.offset + 8) == BUILD_ID
        ? HexFormat.of().formatHex(elf.asSlice(at, size).toArray(BYTE))
        : "";
  }

  /** The loader of a program; empty if it has none, or is no ELF file. */
  public static String interpreter(Path program) {
    String[] found = {""};
    read(
        program,
        (elf, sections) ->
            sections.stream()
                .filter(section -> section.name.equals(".interp"))
                .forEach(section -> found[0] = elf.getString(section.offset)));
    return found[0];
  }

  /** The place in Go code at an address in the file; null if it is none. */
  GoLines.@Nullable Place goAt(long address) {
    try {
      return goLines == null ? null : goLines.at(address);
    } catch (IndexOutOfBoundsException e) {
      return null; // damaged, or of another version
    }
  }

  /** The function at an address in the file, without its parameters; null if none is known. */
  @Nullable String at(long address) {
    Map.Entry<Long, Function> at = functions.floorEntry(address);
    if (at == null) {
      return null;
    }
    long size = at.getValue().size();
    return address - at.getKey() < (size == 0 ? FARTHEST : size)
        ? Demangler.name(at.getValue().name())
        : null;
  }

  private interface Reader {
    void read(MemorySegment elf, List<Section> sections);
  }

  private static void read(Path file, Reader reader) {
    try (Arena arena = Arena.ofConfined();
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      if (channel.size() > MOST_BYTES) {
        return;
      }
      MemorySegment elf = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
      if (elf.get(INT, 0) == MAGIC && elf.get(SHORT, 4) == IS_64_LITTLE) {
        reader.read(elf, sections(elf));
      }
    } catch (IOException | IndexOutOfBoundsException | IllegalArgumentException e) {
      // Nothing is known of it then.
    }
  }

  private void add(MemorySegment elf, List<Section> sections) {
    Section go = null;
    long text = 0;
    long goText = 0;
    boolean isGo = sections.stream().anyMatch(section -> section.name.endsWith(GO_TABLE));
    for (Section section : sections) {
      if (section.type == SYMTAB || section.type == DYNSYM) {
        addSymbols(elf, section, sections.get(section.link));
        if (isGo && section.type == SYMTAB) {
          goText = goText(elf, section, sections.get(section.link));
        }
      } else if (section.name.endsWith(GO_TABLE)) {
        go = section;
      } else if (section.name.equals(".text")) {
        text = section.address;
      }
    }
    if (go != null) {
      byte[] table = elf.asSlice(go.offset, go.size).toArray(BYTE);
      goLines = GoLines.of(MemorySegment.ofArray(table), goText == 0 ? text : goText);
    }
  }

  /** Where the code of Go begins, which may be behind that of C; 0 if no symbol says so. */
  private static long goText(MemorySegment elf, Section table, Section texts) {
    for (long at = table.offset; at < table.offset + table.size; at += SYMBOL) {
      if (elf.getString(texts.offset + elf.get(INT, at)).equals(GO_TEXT)) {
        return elf.get(LONG, at + 8);
      }
    }
    return 0;
  }

  private static List<Section> sections(MemorySegment elf) {
    long table = elf.get(LONG, 40);
    int size = Short.toUnsignedInt(elf.get(SHORT, 58));
    int count = Short.toUnsignedInt(elf.get(SHORT, 60));
    long names = table + (long) size * Short.toUnsignedInt(elf.get(SHORT, 62));
    long texts = elf.get(LONG, names + 24);
    List<Section> sections = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long at = table + (long) size * i;
      sections.add(
          new Section(
              elf.get(INT, at + 4),
              elf.get(INT, at + 40),
              elf.get(LONG, at + 16),
              elf.get(LONG, at + 24),
              elf.get(LONG, at + 32),
              elf.getString(texts + elf.get(INT, at))));
    }
    return sections;
  }

  /** Names are read when they are asked for: a JVM has a hundred thousand. */
  private void addSymbols(MemorySegment elf, Section table, Section texts) {
    MemorySegment names =
        MemorySegment.ofArray(elf.asSlice(texts.offset, texts.size).toArray(BYTE));
    for (long at = table.offset; at < table.offset + table.size; at += SYMBOL) {
      boolean isFunction = (elf.get(BYTE, at + 4) & 15) == FUNCTION;
      long address = elf.get(LONG, at + 8);
      long size = elf.get(LONG, at + 16);
      if (isFunction && address != 0) {
        Function known = functions.get(address);
        if (known == null || known.size() <= size) {
          functions.put(address, new Function(names, elf.get(INT, at), size));
        }
      }
    }
  }
}
