package dev.offcut.agent.code;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
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
 * <p><b>Start.</b> All is stored without compression, and the comment of the jar is an index of it:
 * {@code AgentLoader} reads it without the JDK's classes for jars. The format: the word {@link
 * #MAGIC}; for each entry a character for the length of its name, the name, four characters for the
 * place of its content and four for its length; at last five digits for the length of all. A
 * character of a number is {@code 0} and six bits, the highest first.
 */
final class AgentJar {
  /** What the comment begins with. */
  static final String MAGIC = "OFFCUT-1";

  private static final String OWN = "dev/offcut/agent/";

  private static final List<String> ENTRY_CLASSES =
      List.of(OWN + "Launcher.class", OWN + "Agent.class");

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

  /** What becomes of a jar. */
  static byte[] finished(Path jar) throws IOException, UnknownShapeException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    StringBuilder index = new StringBuilder(MAGIC);
    try (ZipFile in = new ZipFile(jar.toFile());
        ZipOutputStream out = new ZipOutputStream(bytes)) {
      for (ZipEntry entry : Collections.list(in.entries())) {
        if (entry.isDirectory() || entry.getName().endsWith("package-info.class")) {
          continue; // the JDK reads the names of all entries before it reads one
        }
        byte[] content = content(in, entry);
        ZipEntry made = new ZipEntry(entry.getName());
        made.setTimeLocal(entry.getTimeLocal());
        store(made, content);
        out.putNextEntry(made);
        out.flush();
        add(index, entry.getName(), bytes.size(), content.length);
        out.write(content);
        out.closeEntry();
      }
      out.setComment(index + String.format(Locale.ROOT, "%05d", index.length() + 5));
    }
    return bytes.toByteArray();
  }

  private static byte[] content(ZipFile in, ZipEntry entry)
      throws IOException, UnknownShapeException {
    try (InputStream content = in.getInputStream(entry)) {
      byte[] bytes = content.readAllBytes();
      return ENTRY_CLASSES.contains(entry.getName()) ? withFlags(bytes) : bytes;
    }
  }

  private static void store(ZipEntry entry, byte[] content) {
    CRC32 sum = new CRC32();
    sum.update(content);
    entry.setMethod(ZipEntry.STORED);
    entry.setSize(content.length);
    entry.setCrc(sum.getValue());
  }

  private static void add(StringBuilder index, String name, int at, int length) {
    index.append((char) name.length()).append(name);
    add(index, at);
    add(index, length);
  }

  private static void add(StringBuilder index, int number) {
    for (int bits = 18; bits >= 0; bits -= 6) {
      index.append((char) ('0' + (number >> bits & 63)));
    }
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
