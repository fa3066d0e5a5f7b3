package dev.offcut.agent;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.net.URISyntaxException;
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
 * <p>Any thread may load. The jar stays open, as those of a class path do.
 */
final class AgentLoader extends ClassLoader {
  private static final String PACKAGE = "dev.offcut.agent";

  static {
    registerAsParallelCapable();
  }

  private static @Nullable AgentLoader only;

  private final ZipFile jar;
  private final ProtectionDomain domain;

  private AgentLoader(ZipFile jar, ProtectionDomain domain) {
    super("offcut agent", getPlatformClassLoader());
    this.jar = jar;
    this.domain = domain;
    definePackage(PACKAGE, null, null, null, null, Presence.version(), null, null);
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
        File file = new File(domain.getCodeSource().getLocation().toURI());
        only = new AgentLoader(new ZipFile(file), domain);
      } catch (URISyntaxException | IllegalArgumentException e) {
        throw new IOException("no place of a file: " + domain.getCodeSource(), e);
      }
    }
    return only;
  }

  /** Its own classes itself: the loaders above would be asked in vain. */
  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(PACKAGE)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : findClass(name);
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] file;
    try {
      file = read(name.replace('.', '/') + ".class");
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
    if (file == null) {
      throw new ClassNotFoundException(name);
    }
    return defineClass(name, file, 0, file.length, domain);
  }

  /** As of any loader: null, too, if it cannot be read. */
  @Override
  public @Nullable InputStream getResourceAsStream(String name) {
    try {
      byte[] file = read(name);
      return file == null ? null : new ByteArrayInputStream(file);
    } catch (IOException e) {
      return null;
    }
  }

  private byte @Nullable [] read(String name) throws IOException {
    ZipEntry entry = jar.getEntry(name);
    if (entry == null) {
      return null;
    }
    try (InputStream file = jar.getInputStream(entry)) {
      return file.readNBytes((int) entry.getSize());
    }
  }
}
