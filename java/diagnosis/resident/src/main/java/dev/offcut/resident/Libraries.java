package dev.offcut.resident;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What mappings of files are: libraries, archives, data; and which libraries bring an allocator.
 */
final class Libraries {
  /** As the agent names the file: by the process, in a folder of the user's or of a run. */
  private static final Pattern SAMPLES = Pattern.compile(".*/[0-9]{1,10}\\.native");

  private static final String JVM_HEAP = "/memfd:java_heap";

  /** Texts in the file of a library that has such an allocator in it. */
  private static final Map<String, String> ALLOCATORS =
      Map.of(
          "<jemalloc>", "jemalloc", "mimalloc: ", "mimalloc", "TCMallocImplementation", "tcmalloc");

  /** Larger libraries are not searched. */
  private static final long MOST_SEARCHED = 256L << 20;

  /** Read at once. */
  private static final int SEARCHED = 1 << 20;

  private static final int LONGEST_TEXT = 32;

  private static final int ELF_HEADER = 64;
  private static final int LOAD = 1;
  private static final int WRITABLE = 2;

  /** What is known of a file, which does not change while it is mapped. */
  private record Known(long zeroed, String allocator) {}

  /** Libraries of the C library itself, which are not searched. */
  private static final Pattern C_LIBRARY =
      Pattern.compile(".*/(ld-linux|libc|libdl|libm|libpthread|librt)[-.][^/]*");

  /** Where a JVM has no folder of its own. */
  private static final Set<String> SHARED_HOMES =
      Set.of("", "/", "/lib/", "/usr/lib/", "/usr/local/lib/");

  private final Map<String, Known> known = new HashMap<>();

  /** The folder of the JVM's own libraries, which are not searched: the first look costs 0.1 s. */
  private @Nullable String home;

  /** Claims mappings of files, and what the system names. */
  void claim(Path process, List<Mapping> mappings, Claims claims) {
    Set<String> executables = new HashSet<>();
    for (Mapping mapping : mappings) {
      if (home == null && isJvm(mapping)) {
        String folder = mapping.file().substring(0, mapping.file().lastIndexOf('/'));
        home = folder.substring(0, folder.lastIndexOf('/') + 1); // with server/ beside the others
      }
      if (mapping.isFile() && mapping.permissions().charAt(2) == 'x') {
        executables.add(mapping.path());
      }
    }
    Mapping before = null;
    for (Mapping mapping : mappings) {
      if (mapping.isFile()) {
        Part part = part(mapping, executables.contains(mapping.path()));
        claims.add(mapping, part, detail(mapping, part));
      } else if (mapping.path().equals("[stack]")) {
        claims.add(mapping, Part.STACKS, "");
      } else if (mapping.path().startsWith("[v")) {
        claims.add(mapping, Part.SYSTEM, "");
      } else if (before != null
          && mapping.isAnonymous()
          && mapping.start() == before.end()
          && before.isWritable()
          && executables.contains(before.path())) {
        // Zeroed data stands behind a library's own.
        long bytes = known(process, before).zeroed();
        claims.add(
            mapping.start(), Math.min(mapping.end(), mapping.start() + bytes), Part.LIBRARIES);
      }
      before = mapping;
    }
  }

  /** Whether it is of HotSpot's library. */
  static boolean isJvm(Mapping mapping) {
    return mapping.file().endsWith("/libjvm.so");
  }

  /** Where musl is its own loader, it has that name; a file of glibc's has a number behind it. */
  private static boolean isMusl(Mapping mapping) {
    return mapping.file().contains("/ld-musl-") || mapping.file().endsWith("/libc.so");
  }

  /** Of a data file that was deleted, the system says so behind its path. */
  private static String detail(Mapping mapping, Part part) {
    return switch (part) {
      case FILES -> mapping.path();
      case SHARED -> mapping.file();
      default -> "";
    };
  }

  private static Part part(Mapping mapping, boolean executable) {
    String file = mapping.file();
    if (file.startsWith(JVM_HEAP)) {
      return Part.HEAP_USED;
    }
    if (SAMPLES.matcher(file).matches()) {
      return Part.SAMPLES;
    }
    if (file.startsWith("/memfd:")
        || file.startsWith("/dev/shm/")
        || file.startsWith("/dev/zero")
        || file.startsWith("/SYSV")) {
      return Part.SHARED;
    }
    if (file.endsWith(".jsa") || file.endsWith(".aot")) {
      return Part.CLASS_ARCHIVE;
    }
    if (executable || file.endsWith(".so") || file.contains(".so.")) {
      return Part.LIBRARIES;
    }
    // No JVM since 9 maps jars: whoever does maps data.
    return file.endsWith("/lib/modules") ? Part.ARCHIVES : Part.FILES;
  }

  /** Allocators beside glibc's whose tables nobody could read. */
  private final TreeSet<String> unread = new TreeSet<>();

  /**
   * Claims what allocators beside glibc's have: of a library that replaces malloc, or in a library
   * for itself.
   */
  void claimAllocators(Path process, List<Mapping> mappings, ProcessMemory memory, Claims claims) {
    unread.clear();
    Set<String> libraries = new HashSet<>();
    for (Mapping mapping : mappings) {
      if (mapping.isFile()
          && mapping.permissions().charAt(2) == 'x'
          && libraries.add(mapping.path())) {
        String allocator = known(process, mapping).allocator();
        if (!allocator.isEmpty()) {
          String name = mapping.file().substring(mapping.file().lastIndexOf('/') + 1);
          String detail = allocator + " in " + name;
          Allocators tables = new Allocators(memory, mappings, claims, detail);
          if (!isRead(tables, allocator, mapping.path(), mappings)) {
            unread.add(detail);
          }
        }
      }
    }
  }

  /** Its tables begin in the data of its library. */
  private static boolean isRead(
      Allocators tables, String allocator, String library, List<Mapping> mappings) {
    boolean isRead = false;
    for (int i = 0; i < mappings.size() && !isRead; i++) {
      Mapping data = mappings.get(i);
      if (data.path().equals(library) && data.isWritable()) {
        Mapping next = mappings.get(Math.min(i + 1, mappings.size() - 1));
        boolean isZeroed = next.isAnonymous() && next.start() == data.end();
        try {
          isRead = tables.claim(allocator, data.start(), isZeroed ? next.end() : data.end());
        } catch (IOException e) {
          // A page is gone by now.
        }
      }
    }
    return isRead;
  }

  /**
   * What nobody claimed by now may belong to an allocator whose tables could not be read, if there
   * is one.
   */
  void claimUnread(List<Mapping> mappings, Claims claims) {
    if (unread.isEmpty()) {
      return;
    }
    for (Mapping mapping : mappings) {
      if ((mapping.isAnonymous() || mapping.path().equals("[heap]")) && mapping.isWritable()) {
        claims.add(mapping, Part.ALLOCATOR_UNREAD, String.join(", ", unread));
      }
    }
  }

  private Known known(Path process, Mapping library) {
    Known one = known.get(library.path());
    if (one == null) {
      one = look(process, library);
      known.put(library.path(), one);
    }
    return one;
  }

  private Known look(Path process, Mapping library) {
    Path file = Path.of(process + "/root" + library.file());
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      String other = mayHaveOne(library) ? allocator(channel) : "";
      return new Known(zeroed(channel), isMusl(library) ? Allocators.MUSL : other);
    } catch (IOException | RuntimeException e) {
      return new Known(0, ""); // not there any more, or nothing that anybody knows
    }
  }

  /**
   * Bytes behind the last page of the file's own data. That is the last part to be written to; lld
   * makes one before it, which is only written when the library is loaded.
   */
  private static long zeroed(FileChannel channel) throws IOException {
    ByteBuffer header = read(channel, 0, ELF_HEADER);
    long at = header.getLong(32);
    int size = header.getShort(54);
    int count = header.getShort(56);
    ByteBuffer segments = read(channel, at, size * count);
    long zeroed = 0;
    for (int i = 0; i < count; i++) {
      int segment = i * size;
      if (segments.getInt(segment) == LOAD && (segments.getInt(segment + 4) & WRITABLE) != 0) {
        long address = segments.getLong(segment + 16);
        long inFile = segments.getLong(segment + 32);
        long inMemory = segments.getLong(segment + 40);
        zeroed = pageEnd(address + inMemory) - pageEnd(address + inFile);
      }
    }
    return zeroed;
  }

  private boolean mayHaveOne(Mapping library) {
    boolean ofTheJvm =
        home != null && !SHARED_HOMES.contains(home) && library.file().startsWith(home);
    return !ofTheJvm && !C_LIBRARY.matcher(library.file()).matches();
  }

  /** The name of the one that its texts tell of; or empty. */
  private static String allocator(FileChannel channel) throws IOException {
    long size = Math.min(channel.size(), MOST_SEARCHED);
    for (long at = 0; at < size; at += SEARCHED - LONGEST_TEXT) {
      int length = (int) Math.min(SEARCHED, size - at);
      String text = new String(read(channel, at, length).array(), StandardCharsets.ISO_8859_1);
      for (Map.Entry<String, String> one : ALLOCATORS.entrySet()) {
        if (text.contains(one.getKey())) {
          return one.getValue();
        }
      }
    }
    return "";
  }

  private static long pageEnd(long address) {
    return (address + ProcessMemory.PAGE - 1) & -ProcessMemory.PAGE;
  }

  /** A part of a file, as far as there is so much; its numbers are little-endian. */
  static ByteBuffer read(FileChannel channel, long at, int bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    while (buffer.hasRemaining() && channel.read(buffer, at + buffer.position()) > 0) {
      // until it is full
    }
    return buffer.flip();
  }
}
