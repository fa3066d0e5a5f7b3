package dev.offcut.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Where and when a run was made: what a reader of its numbers must know. */
final class Environment {
  private final Map<String, Object> entries = new LinkedHashMap<>();
  private final List<Integer> others = new ArrayList<>();

  /** As it is before the first measurement. */
  Environment(boolean quick) {
    entries.put("time", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    entries.put("quick", quick);
    entries.put("offcut", Versions.of("dev.offcut", "offcut-handle"));
    entries.put("runtime", Versions.java());
    entries.put(
        "vm", System.getProperty("java.vm.name") + ", " + System.getProperty("java.vendor"));
    entries.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    entries.put("arch", System.getProperty("os.arch"));
    entries.put("cpu", cpu());
    entries.put("cpus", Runtime.getRuntime().availableProcessors());
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    entries.put("memory_bytes", system.getTotalMemorySize());
  }

  /** The tasks of other programs that run or wait for a CPU, now that no child runs. */
  void sampleOthers() {
    try (var lines = Files.lines(Path.of("/proc/stat"))) {
      lines
          .filter(line -> line.startsWith("procs_running "))
          .mapToInt(line -> Integer.parseInt(line.substring(line.indexOf(' ') + 1)) - 1)
          .forEach(others::add);
    } catch (IOException e) {
      // no Linux
    }
  }

  /** As it is after the last one. */
  Map<String, Object> after(double seconds) {
    others.stream()
        .mapToInt(count -> count)
        .average()
        .ifPresent(load -> entries.put("others_load", Math.round(load * 100) / 100.0));
    entries.put("seconds", Math.round(seconds));
    return entries;
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
