package dev.offcut.bench;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** The versions of libraries, as their jars say. */
public final class Versions {
  private static final String UNKNOWN = "unknown";

  private Versions() {}

  /** Of this JVM, as it stands in the rows. */
  public static String java() {
    return "java " + Runtime.version();
  }

  /** As Maven wrote it into the jar on the class path; {@code unknown} if it did not. */
  public static String of(String group, String artifact) {
    String entry = "META-INF/maven/" + group + "/" + artifact + "/pom.properties";
    Properties properties = new Properties();
    try (InputStream in = ClassLoader.getSystemResourceAsStream(entry)) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      return UNKNOWN;
    }
    return properties.getProperty("version", UNKNOWN);
  }
}
