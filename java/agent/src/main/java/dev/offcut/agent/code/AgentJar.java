package dev.offcut.agent.code;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Finishes the agent's jar, so that a program starts sooner with it. The build runs it; it is not
 * in the jar.
 *
 * <p><b>Entry points.</b> The JDK calls them by reflection. From JDK 18 on it makes a method handle
 * for that first, with half a dozen classes that nothing else uses, which takes 20 ms of CPU. It
 * cannot make one for a method with a variable number of arguments whose last parameter is no
 * array, and calls that by native code at once. So these methods get the flag. To the JVM it means
 * nothing; but no compiler takes such a class, so tests are compiled before.
 *
 * <p><b>Start.</b> The JDK reads the names of all entries of a jar before it loads a class of it.
 * So the jar has the classes that the JDK loads, and behind them one entry with all other files,
 * stored without compression: for each file two bytes for the length of its name, the name, four
 * bytes for the length of its content, and the content.
 *
 * <p>One file is another than in the build: of that of known libraries the agent needs only their
 * packages.
 *
 * <p>That entry ends with a hash table of these files: {@code AgentLoader} finds it without the
 * JDK's classes for jars, since the jar has no comment. (The JDK would look for the beginning of a
 * comment byte by byte.) The format: the word {@link #MAGIC}; the length of the entry; {@link
 * #SLOTS} slots. A slot has the place of a file in the entry, and its length with what stands
 * before its content; zeros if it is empty. A number has four characters, of which each is {@code
 * 0} and six bits, the highest first. A file is in the {@link #slot} of its name, or behind it.
 */
final class AgentJar {
  /** What the table begins with. */
  static final String MAGIC = "OFFCUT-2";

  /** Slots of the table. */
  static final int SLOTS = 1024;

  /** The entry that has all files. */
  static final String FILES = "dev/offcut/agent/files";

  private static final String OWN = "dev/offcut/agent/";

  private static final String LIBRARIES = OWN + "libraries";

  private static final List<String> ENTRY_CLASSES =
      List.of(OWN + "Launcher.class", OWN + "Agent.class");

  /** What the JDK itself looks for. */
  private static final List<String> OF_JDK =
      List.of(OWN + "Launcher.class", OWN + "AgentLoader.class");

  /** In a method the bit that says {@code transient} of a field. */
  private static final int VARARGS = Member.TRANSIENT;

  private AgentJar() {}

  /**
   * Rewrites a jar.
   *
   * @param jars its path
   */
  public static void main(String[] jars) throws IOException, UnknownShapeException {
    Path jar = Path.of(jars[0]);
    byte[] bytes = finished(jar);
    if (!Arrays.equals(bytes, Files.readAllBytes(jar))) {
      // Never into the file: a JVM may run from it.
      Path made = jar.resolveSibling(jar.getFileName() + ".made");
      Files.write(made, bytes);
      Files.move(made, jar, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /** What becomes of a jar; one that is finished stays as it is. */
  static byte[] finished(Path jar) throws IOException, UnknownShapeException {
    try (ZipFile in = new ZipFile(jar.toFile())) {
      return in.getEntry(FILES) == null ? finished(in) : Files.readAllBytes(jar);
    }
  }

  private static byte[] finished(ZipFile in) throws IOException, UnknownShapeException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ByteArrayOutputStream files = new ByteArrayOutputStream();
    Map<String, Integer> places = new LinkedHashMap<>();
    LocalDateTime time = null;
    try (ZipOutputStream out = new ZipOutputStream(bytes)) {
      for (ZipEntry entry : Collections.list(in.entries())) {
        String name = entry.getName();
        if (entry.isDirectory() || name.endsWith("package-info.class")) {
          continue;
        }
        byte[] content = content(in, entry);
        if (name.equals(LIBRARIES + ".json")) {
          name = LIBRARIES;
          content = packages(content).getBytes(StandardCharsets.US_ASCII);
        }
        if (name.startsWith("META-INF/") || OF_JDK.contains(name)) {
          put(out, name, entry.getTimeLocal(), content);
        } else {
          time = entry.getTimeLocal();
          places.put(name, files.size());
          files.write(name.length() >> 8);
          files.write(name.length());
          files.writeBytes(name.getBytes(StandardCharsets.ISO_8859_1));
          for (int bits = 24; bits >= 0; bits -= 8) {
            files.write(content.length >> bits);
          }
          files.writeBytes(content);
        }
      }
      files.writeBytes(table(places, files.size()).getBytes(StandardCharsets.ISO_8859_1));
      put(out, FILES, Objects.requireNonNull(time), files.toByteArray());
    }
    return bytes.toByteArray();
  }

  /**
   * Packages of known libraries: in their file the only texts that end in a dot, without blanks.
   * The agent has no time to look for them.
   */
  static String packages(byte[] file) {
    List<String> packages = new ArrayList<>();
    String[] texts = new String(file, StandardCharsets.UTF_8).split("\"", -1);
    for (int i = 1; i < texts.length; i += 2) {
      if (texts[i].endsWith(".") && texts[i].indexOf(' ') < 0) {
        packages.add(texts[i]);
      }
    }
    return String.join(" ", packages);
  }

  private static void put(ZipOutputStream out, String name, LocalDateTime time, byte[] content)
      throws IOException {
    ZipEntry made = new ZipEntry(name);
    made.setTimeLocal(time);
    CRC32 sum = new CRC32();
    sum.update(content);
    made.setMethod(ZipEntry.STORED);
    made.setSize(content.length);
    made.setCrc(sum.getValue());
    out.putNextEntry(made);
    out.write(content);
    out.closeEntry();
    out.flush();
  }

  /** The table of files, by where they are. */
  private static String table(Map<String, Integer> places, int length) {
    String[] slots = new String[SLOTS];
    List<Integer> ends = new ArrayList<>(places.values());
    ends.add(length);
    int next = 1;
    for (Map.Entry<String, Integer> file : places.entrySet()) {
      int slot = slot(file.getKey());
      while (slots[slot] != null) {
        slot = (slot + 1) % SLOTS;
      }
      int place = file.getValue();
      slots[slot] = number(place) + number(ends.get(next++) - place);
    }
    StringBuilder table = new StringBuilder(MAGIC);
    table.append(number(length + MAGIC.length() + 4 + 8 * SLOTS));
    for (String slot : slots) {
      table.append(slot == null ? number(0) + number(0) : slot);
    }
    return table.toString();
  }

  /** The slot of a name, as {@code AgentLoader} looks for it. */
  static int slot(String name) {
    int length = name.length();
    int slot = length;
    for (int i = 7; i < 13; i += 2) {
      slot = 31 * slot + (i < length ? name.charAt(length - i) : 0);
    }
    return slot & (SLOTS - 1);
  }

  private static byte[] content(ZipFile in, ZipEntry entry)
      throws IOException, UnknownShapeException {
    try (InputStream content = in.getInputStream(entry)) {
      byte[] bytes = content.readAllBytes();
      return ENTRY_CLASSES.contains(entry.getName()) ? withFlags(bytes) : bytes;
    }
  }

  private static String number(int number) {
    StringBuilder digits = new StringBuilder();
    for (int bits = 18; bits >= 0; bits -= 6) {
      digits.append((char) ('0' + (number >> bits & 63)));
    }
    return digits.toString();
  }

  /** A class file whose entry points have the flag. */
  static byte[] withFlags(byte[] bytes) throws UnknownShapeException {
    ClassFile file = ClassFile.read(bytes);
    for (Member method : file.methods()) {
      if (method.name().equals("premain") || method.name().equals("agentmain")) {
        method.access |= VARARGS;
      }
    }
    return file.toBytes();
  }
}
