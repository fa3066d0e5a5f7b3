package dev.offcut.bench;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.io.Reader;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/**
 * A Java that child JVMs run on.
 *
 * @param home its directory
 * @param version as its {@code Runtime.version()} says
 */
public record Jdk(Path home, String version) {
  /** The one that this program runs on. */
  public static final Jdk OWN =
      new Jdk(Path.of(System.getProperty("java.home")), Runtime.version().toString());

  /**
   * The one in a directory.
   *
   * @throws IOException if there is none; the message says what is missing
   */
  public static Jdk at(Path home) throws IOException {
    Properties release = new Properties();
    try (Reader reader = Files.newBufferedReader(home.resolve("release"))) {
      release.load(reader);
    }
    String version = release.getProperty("JAVA_RUNTIME_VERSION");
    version = version == null ? release.getProperty("JAVA_VERSION") : version;
    if (version == null) {
      throw new IOException(home.resolve("release") + " has no JAVA_VERSION");
    }
    return new Jdk(home, version.replace("\"", ""));
  }

  /** The first number of its version, such as 28 of {@code 28-ea+8}. */
  int feature() {
    return feature(version);
  }

  /** The same of a version. */
  public static int feature(String version) {
    return Integer.parseInt(version.replaceFirst("\\D.*", ""));
  }

  /** The program that starts a JVM. */
  Path java() {
    return home.resolve("bin").resolve("java");
  }

  /** As it stands in the rows. */
  String runtime() {
    return "java " + version;
  }

  /** A collector that not every build of the JDK has. */
  public static final class Shenandoah {
    private Shenandoah() {}

    /** Whether this JVM knows an option of the collector itself; the one to select it all know. */
    public static boolean isThere() {
      try {
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .getVMOption("ShenandoahGCHeuristics");
        return true;
      } catch (IllegalArgumentException e) {
        return false;
      }
    }
  }
}
