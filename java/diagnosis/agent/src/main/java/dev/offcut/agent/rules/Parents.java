package dev.offcut.agent.rules;

import dev.offcut.agent.hooks.code.ClassFile;
import dev.offcut.agent.hooks.code.Member;
import dev.offcut.agent.hooks.code.Supertypes;
import dev.offcut.agent.hooks.code.UnknownShapeException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * Class files of the classes above one that is being loaded. They are read, not loaded: the JVM
 * shows no agent what is loaded while a transformer runs.
 *
 * <p>They come from where the class below comes from, if that is a folder or a jar; a class of the
 * JDK from the JDK; all others from the class loader, as a resource. Any thread.
 */
final class Parents {
  private static final String ENDING = ".class";
  private static final String JAR_FILE = "jar:file:";

  /** The jar that was read last: classes come from one jar many at a time. */
  private static @Nullable OwnJar last;

  private Parents() {}

  /** A jar that the agent opens: no rule counts it. */
  static final class OwnJar extends ZipFile {
    private final String path;

    OwnJar(String path) throws IOException {
      super(path);
      this.path = path;
    }
  }

  /** A method that a class inherits. */
  record Inherited(String owner, String name, String type, boolean isFinal) {}

  /** The file of a class, by internal name; null if it is not found. */
  static byte @Nullable [] read(
      String name, @Nullable ClassLoader loader, @Nullable ProtectionDomain domain) {
    return read(name, loader, domain, null);
  }

  /**
   * The file of a class, by internal name; null if it is not found.
   *
   * @param jars look into the jar or folder that the class is in, if that is known
   */
  static byte @Nullable [] read(
      String name,
      @Nullable ClassLoader loader,
      @Nullable ProtectionDomain domain,
      @Nullable JarRules jars) {
    try {
      if (isOfJdk(name)) {
        return resource(name, ClassLoader.getPlatformClassLoader());
      }
      String near = place(domain);
      byte[] file = near == null ? null : readFile(near, name + ENDING);
      if (near != null && file != null) {
        lookInto(near, jars);
        return file;
      }
      ClassLoader asked = loader == null ? ClassLoader.getPlatformClassLoader() : loader;
      String far = place(asked.getResource(name + ENDING), name + ENDING);
      if (far != null) {
        lookInto(far, jars);
        file = readFile(far, name + ENDING);
      }
      return file == null ? resource(name, asked) : file;
    } catch (IOException | URISyntaxException | RuntimeException | LinkageError e) {
      return null; // the helper sees that it is missing
    }
  }

  /** The file of a loaded class; null if it is not found, also because the class was generated. */
  static byte @Nullable [] readOwn(String name, ClassLoader loader, ProtectionDomain domain) {
    String near = place(domain);
    if (near == null || !near.startsWith("file:")) {
      return read(name, loader, domain);
    }
    try {
      return readFile(near, name + ENDING);
    } catch (IOException | URISyntaxException | RuntimeException e) {
      return null;
    }
  }

  private static void lookInto(String place, @Nullable JarRules jars) {
    if (jars != null) {
      jars.look(place);
    }
  }

  /** Whether a class is one of java.base by its name, or of another module of the JDK. */
  static boolean isOfJdk(String name) {
    char first = name.isEmpty() ? 0 : name.charAt(0);
    return first == 'j'
        ? name.startsWith("java/") || name.startsWith("javax/") || name.startsWith("jdk/")
        : first == 's' && name.startsWith("sun/");
  }

  private static byte @Nullable [] resource(String name, ClassLoader loader) throws IOException {
    try (InputStream file = loader.getResourceAsStream(name + ENDING)) {
      return file == null ? null : file.readAllBytes();
    }
  }

  /** Where the classes of a domain come from: a jar or folder, as its URL; null: not known. */
  static @Nullable String place(@Nullable ProtectionDomain domain) {
    CodeSource source = domain == null ? null : domain.getCodeSource();
    URL location = source == null ? null : source.getLocation();
    return location == null ? null : location.toString();
  }

  /** The jar or folder that a file is in, as its URL. */
  private static @Nullable String place(@Nullable URL of, String path) {
    String url = of == null ? "" : of.toString();
    if (!url.endsWith("/" + path)) {
      return null; // also what a jar has for newer JDKs
    }
    String place = url.substring(0, url.length() - path.length());
    boolean isJar = place.startsWith(JAR_FILE) && place.indexOf("!/") == place.length() - 2;
    return isJar ? place.substring(4, place.length() - 2) : place;
  }

  /** A file in a jar or folder; null if it is not there, or the place is none of the disk. */
  static byte @Nullable [] readFile(String place, String path)
      throws IOException, URISyntaxException {
    if (!place.startsWith("file:")) {
      return null;
    }
    String name = path(place);
    if (name.endsWith(".jar") || !Files.isDirectory(Path.of(name))) {
      return readJar(name, path);
    }
    try {
      return Files.readAllBytes(Path.of(name, path));
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /** The path of the URL of a file. */
  private static String path(String url) throws URISyntaxException {
    return new File(new URI(url)).getPath();
  }

  private static synchronized byte @Nullable [] readJar(String path, String inside)
      throws IOException {
    OwnJar jar = last;
    if (jar == null || !jar.path.equals(path)) {
      if (jar != null) {
        last = null;
        jar.close();
      }
      jar = new OwnJar(path);
      last = jar;
    }
    ZipEntry entry = jar.getEntry(inside);
    if (entry == null) {
      return null;
    }
    try (InputStream file = jar.getInputStream(entry)) {
      return file.readAllBytes();
    }
  }

  /** The method that a class inherits, by the spec of a rule, from a class and those above it. */
  static @Nullable Inherited inherited(
      String above, String spec, @Nullable ClassLoader loader, @Nullable ProtectionDomain domain)
      throws UnknownShapeException {
    String name = above;
    while (!name.equals("java/lang/Object")) {
      byte[] file = read(name, loader, domain);
      if (file == null) {
        return null;
      }
      for (Member method : ClassFile.read(file).methods()) {
        if (WatchedCode.matches(method, spec)
            && (method.access & (Modifier.STATIC | Modifier.ABSTRACT | Modifier.PRIVATE)) == 0) {
          return new Inherited(name, method.name(), method.type(), Modifier.isFinal(method.access));
        }
      }
      name = Supertypes.of(file).name(0);
    }
    return null;
  }

  /** Adds the methods with code of an interface and of those above it. */
  static void addDefaultMethods(
      List<Inherited> to,
      String name,
      String spec,
      @Nullable ClassLoader loader,
      @Nullable ProtectionDomain domain)
      throws UnknownShapeException {
    byte[] file = read(name, loader, domain);
    if (file == null) {
      return;
    }
    for (Member method : ClassFile.read(file).methods()) {
      if (WatchedCode.matches(method, spec) && method.hasCode()) {
        to.add(new Inherited(name, method.name(), method.type(), false));
      }
    }
    Supertypes above = Supertypes.of(file);
    for (int i = 1; i < above.count(); i++) {
      addDefaultMethods(to, above.name(i), spec, loader, domain);
    }
  }
}
