package dev.offcut.bench;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/** A collector that not every build of the JDK has. */
public final class Shenandoah {
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
