package dev.offcut.agent;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.lang.instrument.Instrumentation;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.ProtectionDomain;
import java.util.HashMap;
import java.util.Map;
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
 * <p>All of them are in the last entry of the jar, and found by the table at its end ({@code
 * AgentJar} in the build has the format). A jar that somebody has packed anew may be compressed, or
 * have another last entry. Then that entry is read as a whole, before a rule counts what reads it.
 *
 * <p>Any thread may load. The jar stays open, as those of a class path do.
 */
final class AgentLoader extends ClassLoader {
  private static final String PACKAGE = "dev.offcut.agent";

  /** The entry that has all files. */
  private static final String FILES = "dev/offcut/agent/files";

  /** The table begins with it. Behind it stands how long the entry is. */
  private static final String MAGIC = "OFFCUT-2";

  /** The class that is needed first. */
  private static final String FIRST = "dev/offcut/agent/Agent.class";

  /** Where the path begins in the URL of a file. */
  private static final int FILE = 5;

  /** A power of two. */
  private static final int SLOTS = 1024;

  /** Characters of a slot: where a file is in the entry, and how long it is with its name. */
  private static final int SLOT = 8;

  private static final int FIRST_SLOT = 12;
  private static final int TABLE = FIRST_SLOT + SLOTS * SLOT;

  /** What a jar without a comment ends with: where all entries end stands in it. */
  private static final int END = 22;

  private static final String END_MAGIC = "PK\5\6";
  private static final int END_OF_ENTRIES = 16;

  /** A file begins with the length of its name, and has that of its content behind the name. */
  private static final int NAME_LENGTH = 2;

  private static final int CONTENT_LENGTH = 4;

  static {
    registerAsParallelCapable();
  }

  private static @Nullable AgentLoader only;

  private final RandomAccessFile jar;

  /** Empty if the jar is not as the build made it. */
  private final byte[] table;

  /** Where the entry begins and ends, if there is a table. */
  private long start;

  private long end;

  /** The contents by name, if there is no table. */
  private final Map<String, byte[]> contents;

  /**
   * The domain of its classes, if a policy may grant permissions by the place of the jar. Else
   * null: for each class with a place, the JDK makes a text of the URL.
   */
  private final @Nullable ProtectionDomain domain;

  private AgentLoader(File path, ProtectionDomain domain) throws IOException {
    super("offcut agent", getPlatformClassLoader());
    this.jar = new RandomAccessFile(path, "r");
    boolean mayBeAsked =
        System.getProperty("java.security.manager") != null
            || System.getProperty("java.security.policy") != null;
    this.domain = mayBeAsked ? domain : null;
    String version = AgentLoader.class.getPackage().getImplementationVersion();
    definePackage(PACKAGE, null, null, null, null, version, null, null);
    this.table = readTable();
    this.contents = table.length == 0 ? readAll(path) : Map.of();
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
        only = new AgentLoader(file(domain.getCodeSource().getLocation().toString()), domain);
      } catch (URISyntaxException | IllegalArgumentException e) {
        throw new IOException("no place of a file: " + domain.getCodeSource(), e);
      }
    }
    return only;
  }

  /** The file of a URL. One without escapes is not parsed: that is much code of the JDK's. */
  private static File file(String url) throws URISyntaxException {
    boolean isPlain =
        url.startsWith("file:/")
            && !url.startsWith("//", FILE)
            && url.indexOf('%') < 0
            && url.indexOf('?') < 0
            && url.indexOf('#') < 0;
    return isPlain ? new File(url.substring(FILE)) : new File(new URI(url));
  }

  /** The table, if it says rightly where the first class is. */
  private byte[] readTable() throws IOException {
    byte[] none = {};
    long size = jar.length();
    if (size < END + TABLE) {
      return none;
    }
    byte[] last = read(size - END, END);
    int at = END_OF_ENTRIES;
    end =
        (last[at] & 0xff)
            | (last[at + 1] & 0xff) << 8
            | (last[at + 2] & 0xff) << 16
            | (long) (last[at + 3] & 0xff) << 24;
    if (!isText(last, 0, END_MAGIC) || end < TABLE || end > size - END) {
      return none;
    }
    byte[] read = read(end - TABLE, TABLE);
    start = end - number(read, MAGIC.length());
    boolean isTable = isText(read, 0, MAGIC) && start >= 0 && start <= end - TABLE;
    return isTable && find(read, FIRST) != null ? read : none;
  }

  /** All files: one behind the other, before the table. */
  private static Map<String, byte[]> readAll(File path) throws IOException {
    byte[] all;
    try (ZipFile packed = new ZipFile(path)) {
      ZipEntry entry = packed.getEntry(FILES);
      if (entry == null) {
        throw new IOException(path + " has no entry " + FILES);
      }
      try (InputStream in = packed.getInputStream(entry)) {
        all = in.readAllBytes();
      }
    }
    Map<String, byte[]> files = new HashMap<>();
    int at = 0;
    while (at < all.length - TABLE) {
      int name = at + NAME_LENGTH;
      int content = contentOf(all, at);
      byte[] bytes = new byte[length(all, content - CONTENT_LENGTH)];
      System.arraycopy(all, content, bytes, 0, bytes.length);
      files.put(text(all, name, content - CONTENT_LENGTH - name), bytes);
      at = content + bytes.length;
    }
    return files;
  }

  /** Where the content of the file at a place begins. */
  private static int contentOf(byte[] all, int at) {
    int name = (all[at] & 0xff) << 8 | (all[at + 1] & 0xff);
    return at + NAME_LENGTH + name + CONTENT_LENGTH;
  }

  private static int length(byte[] all, int at) {
    return (all[at] & 0xff) << 24
        | (all[at + 1] & 0xff) << 16
        | (all[at + 2] & 0xff) << 8
        | (all[at + 3] & 0xff);
  }

  /** Each byte a character. The way by a set of characters is long, and would be compiled. */
  @SuppressWarnings("deprecation")
  private static String text(byte[] all, int at, int length) {
    return new String(all, 0, at, length);
  }

  private static boolean isText(byte[] all, int at, String text) {
    return at + text.length() <= all.length && text(all, at, text.length()).equals(text);
  }

  /** The slot of a name. Its own hash would look at each character, in the interpreter. */
  private static int slot(String name) {
    int length = name.length();
    int slot = length;
    for (int i = 7; i < 13; i += 2) {
      slot = 31 * slot + (i < length ? name.charAt(length - i) : 0);
    }
    return slot & (SLOTS - 1);
  }

  /** The file of a name, with its name before it; null if there is none. */
  private byte @Nullable [] find(byte[] slots, String name) throws IOException {
    int slot = slot(name);
    for (int left = SLOTS; left > 0; left--) {
      int at = FIRST_SLOT + slot * SLOT;
      int place = number(slots, at);
      int length = number(slots, at + SLOT / 2);
      if (place < 0 || length < NAME_LENGTH + CONTENT_LENGTH || start + place + length > end) {
        return null; // the slot is empty, or this is no table
      }
      byte[] file = read(start + place, length);
      if (isText(file, NAME_LENGTH, name)
          && contentOf(file, 0) == NAME_LENGTH + name.length() + CONTENT_LENGTH) {
        return file;
      }
      slot = (slot + 1) & (SLOTS - 1);
    }
    return null;
  }

  /** Four characters of six bits each. */
  private static int number(byte[] slots, int at) {
    return (slots[at] - '0') << 18
        | (slots[at + 1] - '0') << 12
        | (slots[at + 2] - '0') << 6
        | (slots[at + 3] - '0');
  }

  private synchronized byte[] read(long at, int length) throws IOException {
    byte[] bytes = new byte[length];
    jar.seek(at);
    jar.readFully(bytes);
    return bytes;
  }

  /** Its own classes itself: the loaders above would be asked in vain. */
  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (name.charAt(0) != 'd' || !name.startsWith(PACKAGE)) {
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
    String path = name.replace('.', '/').concat(".class");
    if (table.length == 0) {
      byte[] content = contents.get(path);
      if (content == null) {
        throw new ClassNotFoundException(name);
      }
      return defineClass(name, content, 0, content.length, domain);
    }
    byte[] file;
    try {
      file = find(table, path);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
    if (file == null) {
      throw new ClassNotFoundException(name);
    }
    int from = contentOf(file, 0);
    return defineClass(name, file, from, file.length - from, domain);
  }

  /** As of any loader: null, too, if it cannot be read. */
  @Override
  public @Nullable InputStream getResourceAsStream(String name) {
    if (table.length == 0) {
      byte[] content = contents.get(name);
      return content == null ? null : new ByteArrayInputStream(content);
    }
    try {
      byte[] file = find(table, name);
      if (file == null) {
        return null;
      }
      int from = contentOf(file, 0);
      return new ByteArrayInputStream(file, from, file.length - from);
    } catch (IOException e) {
      return null;
    }
  }
}
