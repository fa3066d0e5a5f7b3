package dev.offcut.agent;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.lang.instrument.Instrumentation;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * Loads the agent's classes from its jar, and from there alone.
 *
 * <p>The JVM puts that jar behind the program's class path: for each of the agent's classes the
 * loader of the program would look through all jars of the program first, and take what it finds
 * there of the same name. The program does not see these classes, nor they the program's.
 *
 * <p>All is stored in the jar without compression, and found by the index that is the jar's comment
 * ({@code AgentJar} in the build has the format). A jar that somebody has packed anew is read as
 * any jar. That is opened here, before a rule counts what reads it.
 *
 * <p>Any thread may load. The jar stays open, as those of a class path do.
 */
final class AgentLoader extends ClassLoader {
  private static final String PACKAGE = "dev.offcut.agent";

  /** The comment begins with it. */
  private static final String MAGIC = "OFFCUT-1";

  /** The class that is needed first. */
  private static final String FIRST = "dev/offcut/agent/Agent.class";

  /** Digits at the end of the comment. */
  private static final int DIGITS = 5;

  /** A power of two, and several times the entries of the index. */
  private static final int SLOTS = 1024;

  static {
    registerAsParallelCapable();
  }

  private static @Nullable AgentLoader only;

  private final RandomAccessFile file;

  /** Names, places of their contents, and how long those are; a name is at its hash or behind. */
  private final @Nullable String[] names = new String[SLOTS];

  private final int[] places = new int[SLOTS];
  private final int[] lengths = new int[SLOTS];

  /** Null if there is an index. */
  private final @Nullable ZipFile jar;

  private final ProtectionDomain domain;

  private AgentLoader(File path, ProtectionDomain domain) throws IOException {
    super("offcut agent", getPlatformClassLoader());
    this.file = new RandomAccessFile(path, "r");
    this.domain = domain;
    definePackage(PACKAGE, null, null, null, null, Presence.version(), null, null);
    this.jar = readIndex() ? null : new ZipFile(path);
  }

  /** Enters {@link Agent}, each time the same one. */
  static void enter(String method, @Nullable String given, Instrumentation instrumentation)
      throws IOException, ReflectiveOperationException {
    Class.forName(PACKAGE + ".Agent", true, only())
        .getMethod(method, String.class, Instrumentation.class)
        .invoke(null, given, instrumentation);
  }

  private static synchronized AgentLoader only() throws IOException {
    if (only == null) {
      ProtectionDomain domain = AgentLoader.class.getProtectionDomain();
      try {
        only = new AgentLoader(new File(domain.getCodeSource().getLocation().toURI()), domain);
      } catch (URISyntaxException | IllegalArgumentException e) {
        throw new IOException("no place of a file: " + domain.getCodeSource(), e);
      }
    }
    return only;
  }

  /** Whether there is one, and the names stand where it says. */
  private boolean readIndex() throws IOException {
    long end = file.length();
    int length = length(text(end - DIGITS, DIGITS));
    if (length <= MAGIC.length() + DIGITS || length > end) {
      return false;
    }
    String index = text(end - length, length);
    if (!index.startsWith(MAGIC)) {
      return false;
    }
    int left = SLOTS / 2;
    for (int at = MAGIC.length(); at < length - DIGITS && left > 0; left--) {
      int from = at + 1;
      at = from + index.charAt(at);
      String name = index.substring(from, at);
      int slot = slot(name);
      names[slot] = name;
      places[slot] = number(index, at);
      lengths[slot] = number(index, at + 4);
      at += 8;
    }
    int first = slot(FIRST);
    return text(places[first] - FIRST.length(), FIRST.length()).equals(FIRST);
  }

  private String text(long at, int length) throws IOException {
    return at < 0 ? "" : new String(read(at, length), StandardCharsets.ISO_8859_1);
  }

  /** The place of a name. Its own hash would look at each character, in the interpreter. */
  private int slot(String name) {
    int length = name.length();
    int slot = length;
    for (int i = 7; i < 13; i += 2) {
      slot = 31 * slot + (i < length ? name.charAt(length - i) : 0);
    }
    slot &= SLOTS - 1;
    while (names[slot] != null && !names[slot].equals(name)) {
      slot = (slot + 1) & (SLOTS - 1);
    }
    return slot;
  }

  /** What the digits say; 0 if they are none. */
  private static int length(String digits) {
    int length = 0;
    for (int i = 0; i < digits.length(); i++) {
      int digit = digits.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return 0;
      }
      length = 10 * length + digit;
    }
    return length;
  }

  private static int number(String index, int at) {
    return (index.charAt(at) - '0') << 18
        | (index.charAt(at + 1) - '0') << 12
        | (index.charAt(at + 2) - '0') << 6
        | (index.charAt(at + 3) - '0');
  }

  private synchronized byte[] read(long at, int length) throws IOException {
    byte[] bytes = new byte[length];
    file.seek(at);
    file.readFully(bytes);
    return bytes;
  }

  /** Its own classes itself: the loaders above would be asked in vain. */
  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(PACKAGE)) {
      return ofJdk(name);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : findClass(name);
    }
  }

  /**
   * Nearly all are the boot loader's, and the JVM finds those at once: loaders that ask each other
   * do it in the interpreter, a hundred times at the start of a program.
   */
  private Class<?> ofJdk(String name) throws ClassNotFoundException {
    try {
      return Class.forName(name, false, null);
    } catch (ClassNotFoundException e) {
      return getParent().loadClass(name);
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] bytes;
    try {
      bytes = read(name.replace('.', '/') + ".class");
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
    if (bytes == null) {
      throw new ClassNotFoundException(name);
    }
    return defineClass(name, bytes, 0, bytes.length, domain);
  }

  /** As of any loader: null, too, if it cannot be read. */
  @Override
  public @Nullable InputStream getResourceAsStream(String name) {
    try {
      byte[] bytes = read(name);
      return bytes == null ? null : new ByteArrayInputStream(bytes);
    } catch (IOException e) {
      return null;
    }
  }

  private byte @Nullable [] read(String name) throws IOException {
    if (jar != null) {
      ZipEntry entry = jar.getEntry(name);
      return entry == null ? null : read(jar, entry);
    }
    int slot = slot(name);
    return names[slot] == null ? null : read(places[slot], lengths[slot]);
  }

  private static byte[] read(ZipFile jar, ZipEntry entry) throws IOException {
    try (InputStream content = jar.getInputStream(entry)) {
      return content.readNBytes((int) entry.getSize());
    }
  }
}
