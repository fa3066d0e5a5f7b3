package dev.offcut.metrics;

import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;

/**
 * The counts of the agent, by its bean. The agent registers it within a second after the program
 * has an MBean server. A program without the agent is not given a server by this class.
 */
final class AgentSource extends Source {
  private static final String BEAN = "dev.offcut:type=Agent";

  /** The system property that an agent sets. */
  private static final String VERSION = "offcut.agent.version";

  /** The proof of a kind that the agent found to be counted wrongly. */
  private static final String REFUTED = "refuted";

  /** Begins the name of a kind whose objects are counted by a rule. */
  private static final String COUNTED_BY_RULE = "closeable:";

  private final Names kinds = new Names();

  AgentSource() {
    super("agent", null);
  }

  /** Whether an agent has started in this JVM. */
  static boolean isAgentHere() {
    return System.getProperty(VERSION) != null;
  }

  @Override
  boolean read(Readings to) throws JMException {
    Object resources = attribute("Resources");
    if (!(resources instanceof CompositeData[] all)) {
      return false;
    }
    for (CompositeData each : all) {
      if (REFUTED.equals(each.get("proof"))) {
        continue; // it is counted no more, and a figure that stands still looks like good news
      }
      String name = (String) each.get("kind");
      String kind = kinds.of(name);
      add(to, Metric.RESOURCE_OPENED, kind, each, "opened");
      add(to, Metric.RESOURCE_CLOSED, kind, each, "closed");
      add(to, Metric.RESOURCE_COLLECTED, kind, each, "collected");
      add(to, Metric.RESOURCE_LOST, kind, each, "lost");
      add(to, Metric.RESOURCE_OPEN, kind, each, "open");
      if (hasBytes(name)) {
        add(to, Metric.RESOURCE_BYTES, kind, each, "bytes");
        add(to, Metric.RESOURCE_OPENED_BYTES, kind, each, "openedBytes");
        add(to, Metric.RESOURCE_LOST_BYTES, kind, each, "lostBytes");
      }
    }
    return true;
  }

  /** Objects of a class that a rule names are counted, and their bytes are not known. */
  private static boolean hasBytes(String kind) {
    return !kind.startsWith(COUNTED_BY_RULE);
  }

  private static void add(
      Readings to, Metric metric, String kind, CompositeData from, String field) {
    to.add(metric, kind, ((Number) from.get(field)).longValue());
  }

  /** Adds the call sites with most that is lost or open. */
  static void addSites(List<Map<String, Object>> to) throws JMException {
    if (attribute("Sites") instanceof CompositeData[] all) {
      for (CompositeData each : all) {
        Map<String, Object> site = new LinkedHashMap<>();
        site.put("kind", each.get("kind"));
        for (String field : List.of("opened", "lost", "open")) {
          site.put(field, each.get(field));
        }
        if (hasBytes((String) each.get("kind"))) {
          site.put("bytes", each.get("bytes"));
          site.put("lost_bytes", each.get("lostBytes"));
        }
        site.put("line", each.get("line"));
        site.put("stack", each.get("stack"));
        to.add(site);
      }
    }
  }

  /** An attribute of the bean; null where there is no agent, or no bean yet. */
  static @Nullable Object attribute(String name) throws JMException {
    try {
      return isAgentHere() ? server().getAttribute(new ObjectName(BEAN), name) : null;
    } catch (InstanceNotFoundException e) {
      return null;
    }
  }

  /** An account of the process's memory, as JSON; null where there is no agent, or no bean yet. */
  static @Nullable String account() throws JMException {
    try {
      return isAgentHere()
          ? (String) server().invoke(new ObjectName(BEAN), "account", null, null)
          : null;
    } catch (InstanceNotFoundException e) {
      return null;
    }
  }

  private static MBeanServer server() {
    return ManagementFactory.getPlatformMBeanServer();
  }
}
