package dev.offcut.agent;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.net.URISyntaxException;
import java.security.ProtectionDomain;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * Loads the agent's classes from its jar, and from there alone.
 *
 * <p>The JVM puts that jar behind the program's class path: for each of the agent's classes the
 * loader of the program would look through all jars of the program first, and take what it finds
 * there of the same name. The program does not see these classes, nor they the program's.
 *
 * <p>The jar is read as a whole and closed before the agent counts anything: a jar that stays open,
 * and what decompresses it, would be among the objects that the program has open.
 */
final class AgentLoader extends ClassLoader {
  private static final String PACKAGE = "dev.offcut.agent";

  /** Before the names of native libraries: each is taken once. */
  private static final String NATIVE = "native/";

  static {
    registerAsParallelCapable();
  }

  private static @Nullable AgentLoader only;

  /** By name. A class that was loaded is not in it any more. */
  private final Map<String, byte[]> files = new ConcurrentHashMap<>();

  private final ProtectionDomain domain;

  private AgentLoader(File path, ProtectionDomain domain) throws IOException {
    super("offcut agent", getPlatformClassLoader());
    this.domain = domain;
    String version = AgentLoader.class.getPackage().getImplementationVersion();
    definePackage(PACKAGE, null, null, null, null, version, null, null);
    try (JarFile jar = new JarFile(path, false, ZipFile.OPEN_READ)) {
      for (JarEntry entry : Collections.list(jar.entries())) {
        if (isForThisMachine(entry.getName())) {
          try (InputStream content = jar.getInputStream(entry)) {
            files.put(entry.getName(), content.readAllBytes());
          }
        }
      }
    }
  }

  private static boolean isForThisMachine(String name) {
    boolean isArm = System.getProperty("os.arch", "").equals("aarch64");
    return !name.startsWith(NATIVE) || name.endsWith(isArm ? "-arm64.so" : "-x64.so");
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
        File jar = new File(domain.getCodeSource().getLocation().toURI());
        only = new AgentLoader(jar, domain);
      } catch (URISyntaxException | IllegalArgumentException e) {
        throw new IOException("no place of a file: " + domain.getCodeSource(), e);
      }
    }
    return only;
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] file = files.remove(name.replace('.', '/') + ".class");
    if (file == null) {
      throw new ClassNotFoundException(name);
    }
    return defineClass(name, file, 0, file.length, domain);
  }

  @Override
  public @Nullable InputStream getResourceAsStream(String name) {
    byte[] file = name.startsWith(NATIVE) ? files.remove(name) : files.get(name);
    return file == null ? null : new ByteArrayInputStream(file);
  }
}
