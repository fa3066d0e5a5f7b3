package dev.offcut.bench.longmap;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/** A collector that not every build of the JDK has. */
final class Shenandoah {
  private Shenandoah() {}

  /** Whether this JVM knows an option of the collector itself; the one to select it all know. */
  static boolean isThere() {
    try {
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
          .getVMOption("ShenandoahGCHeuristics");
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
