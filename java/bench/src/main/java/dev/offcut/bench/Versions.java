package dev.offcut.bench;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** The versions of libraries, as Maven wrote them into their jars. */
public final class Versions {
  private Versions() {}

  /** The version of an artifact on the class path; {@code unknown} if its jar does not say. */
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
