package dev.offcut.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/** Where and when a run was made: what a reader of its numbers must know. */
final class Environment {
  private final Map<String, Object> entries = new LinkedHashMap<>();
  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private final OthersLoad others;

  /** As it is before the first measurement. */
  Environment(boolean quick, OthersLoad others) {
    this.others = others;
    entries.put("time", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    entries.put("quick", quick);
    entries.put("offcut", Versions.of("dev.offcut", "offcut-handle"));
    entries.put("runtime", Jdk.OWN.runtime());
    entries.put(
        "vm", System.getProperty("java.vm.name") + ", " + System.getProperty("java.vendor"));
    entries.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    entries.put("arch", System.getProperty("os.arch"));
    entries.put("cpu", cpu());
    entries.put("cpus", Runtime.getRuntime().availableProcessors());
    entries.put("memory_bytes", system.getTotalMemorySize());
    entries.put("load_before", system.getSystemLoadAverage());
    put("others_load_before", others.beforeTheRun());
  }

  /** As it is after the last one. */
  Map<String, Object> after(double seconds) {
    entries.put("load_after", system.getSystemLoadAverage());
    put("others_load", others.load());
    entries.put("seconds", Math.round(seconds));
    return entries;
  }

  private void put(String name, double load) {
    if (!Double.isNaN(load)) {
      entries.put(name, Math.round(load * 100) / 100.0);
    }
  }

  private static String cpu() {
    try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("unknown");
    } catch (IOException e) {
      return "unknown";
    }
  }
}
