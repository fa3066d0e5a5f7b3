package dev.offcut.bench;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** The versions of libraries, as their jars say. */
public final class Versions {
  private Versions() {}

  /** The version in the name of the jar that a class is in; {@code unknown} if there is none. */
  public static String inNameOfJar(Class<?> type) {
    String jar = type.getProtectionDomain().getCodeSource().getLocation().getPath();
    int from = jar.lastIndexOf('-') + 1;
    return jar.endsWith(".jar") && from > 0 ? jar.substring(from, jar.length() - 4) : "unknown";
  }

  /** As Maven wrote it into the jar on the class path; {@code unknown} if it did not. */
  public static String of(String group, String artifact) {
    String name = "META-INF/maven/" + group + "/" + artifact + "/pom.properties";
    try (InputStream in = ClassLoader.getSystemResourceAsStream(name)) {
      Properties properties = new Properties();
      if (in != null) {
        properties.load(in);
      }
      return properties.getProperty("version", "unknown");
    } catch (IOException e) {
      return "unknown";
    }
  }
}
