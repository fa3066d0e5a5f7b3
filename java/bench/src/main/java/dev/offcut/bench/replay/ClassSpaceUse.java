package dev.offcut.bench.replay;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * How the class space of this JVM is used.
 *
 * @param reservedBytes as the JVM has rounded it
 * @param handedOutBytes in chunks of class loaders
 * @param usedBytes in those chunks
 */
record ClassSpaceUse(long reservedBytes, long handedOutBytes, long usedBytes) {
  private static final String POOL = "Compressed Class Space";
  private static final Pattern CAPACITY =
      Pattern.compile("\\sClass: +\\d+ chunks?, +([0-9.]+) KB capacity");

  static ClassSpaceUse now() throws JMException {
    MemoryPoolMXBean pool =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(each -> each.getName().equals(POOL))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("this JVM has no compressed class space"));
    MemoryUsage usage = pool.getUsage();
    return new ClassSpaceUse(usage.getMax(), askHandedOut(), usage.getUsed());
  }

  double handedOutPercent() {
    return 100.0 * handedOutBytes / reservedBytes;
  }

  double usedPercent() {
    return 100.0 * usedBytes / reservedBytes;
  }

  /** No management bean has it, but what {@code jcmd VM.metaspace} prints does. */
  static long askHandedOut() throws JMException {
    Object text =
        ManagementFactory.getPlatformMBeanServer()
            .invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"),
                "vmMetaspace",
                new Object[] {new String[] {"scale=KB"}},
                new String[] {String[].class.getName()});
    Matcher capacity = CAPACITY.matcher(String.valueOf(text));
    if (!capacity.find()) {
      throw new IllegalStateException("VM.metaspace says no capacity: " + text);
    }
    return Math.round(Double.parseDouble(capacity.group(1)) * 1024);
  }
}
