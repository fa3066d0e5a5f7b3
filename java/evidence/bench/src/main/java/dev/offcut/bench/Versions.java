package dev.offcut.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Properties;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/** The versions of libraries, as their jars say. */
public final class Versions {
  private static final String UNKNOWN = "unknown";

  private Versions() {}

  /** Of this JVM, as it stands in the rows. */
  public static String java() {
    return "java " + Runtime.version();
  }

  /** The version in the name of the jar that a class is in; {@code unknown} if there is none. */
  public static String inNameOfJar(Class<?> type) {
    String jar = type.getProtectionDomain().getCodeSource().getLocation().getPath();
    int from = jar.lastIndexOf('-') + 1;
    return jar.endsWith(".jar") && from > 0 ? jar.substring(from, jar.length() - 4) : UNKNOWN;
  }

  /** As Maven wrote it into the jar on the class path; {@code unknown} if it did not. */
  public static String of(String group, String artifact) {
    try (InputStream in = ClassLoader.getSystemResourceAsStream(entry(group, artifact))) {
      return version(in);
    } catch (IOException e) {
      return UNKNOWN;
    }
  }

  /** As Maven wrote it into this jar; {@code unknown} if it did not, or there is no such jar. */
  public static String in(Path jar, String group, String artifact) {
    try (ZipFile file = new ZipFile(jar.toFile())) {
      ZipEntry entry = file.getEntry(entry(group, artifact));
      return version(entry == null ? null : file.getInputStream(entry));
    } catch (IOException e) {
      return UNKNOWN;
    }
  }

  private static String entry(String group, String artifact) {
    return "META-INF/maven/" + group + "/" + artifact + "/pom.properties";
  }

  private static String version(@Nullable InputStream in) throws IOException {
    Properties properties = new Properties();
    if (in != null) {
      properties.load(in);
    }
    return properties.getProperty("version", UNKNOWN);
  }
}
