package dev.offcut.metrics;

import static java.lang.Boolean.TRUE;

import dev.offcut.metrics.Readings.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.management.JMException;
import javax.management.JMRuntimeException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.json.JsonParserFactory;

/**
 * The Actuator endpoint {@code offcut}: the figures of the metrics, what the agent says of itself,
 * and an account of the process. None of them has the command line or the environment.
 *
 * <p>Any thread may ask it.
 */
@Endpoint(id = "offcut")
final class OffcutEndpoint {
  /** The lists of the answer, in its order. */
  private static final List<String> LISTS =
      List.of("handles", "pools", "owners", "budgets", "holders", "resources");

  private final Readings readings;

  OffcutEndpoint(int mostOwners) {
    readings = new Readings(Source.all(mostOwners), System::nanoTime);
  }

  /** Returns what Boot writes as JSON. */
  @ReadOperation
  public Map<String, Object> read() {
    Map<String, Object> answer = new LinkedHashMap<>();
    addFigures(answer);
    addSites(answer);
    addAgent(answer);
    return answer;
  }

  private void addFigures(Map<String, Object> answer) {
    readings.look();
    List<Row> rows = readings.rows();
    rows.sort(
        Comparator.<Row, String>comparing(row -> row.label(0))
            .thenComparing(row -> row.label(1))
            .thenComparing(Row::metric));
    Map<String, Object> sources = new TreeMap<>();
    Map<String, Map<Map<String, Object>, Map<String, Object>>> lists = new LinkedHashMap<>();
    for (String list : LISTS) {
      lists.put(list, new LinkedHashMap<>());
    }
    for (Row row : rows) {
      double value = readings.value(row);
      if (row.metric() == Metric.SOURCE_PRESENT) {
        sources.put(row.label(0), value == 1);
      } else if (!Double.isNaN(value)) {
        boolean isMeasured = row.metric().unit.equals(Metric.SECONDS);
        Map<String, Object> labels = labels(row);
        lists
            .computeIfAbsent(list(row.metric()), unseen -> new LinkedHashMap<>())
            .computeIfAbsent(labels, unseen -> new LinkedHashMap<>(labels))
            .put(field(row.metric()), isMeasured ? (Object) value : (Object) (long) value);
      }
    }
    answer.put("sources", sources);
    lists.forEach((list, entries) -> answer.put(list, new ArrayList<>(entries.values())));
  }

  /** That of {@code offcut.owner.used} is {@code owners}. */
  private static String list(Metric metric) {
    return metric == Metric.BUDGET_HELD ? "holders" : metric.id.split("\\.", -1)[1] + "s";
  }

  private static String field(Metric metric) {
    return metric.id.substring(metric.id.lastIndexOf('.') + 1);
  }

  private static Map<String, Object> labels(Row row) {
    Map<String, Object> labels = new LinkedHashMap<>();
    row.labels(labels::put);
    return labels;
  }

  /** What of it cannot be read is said beside, or in the log of the figures. */
  private static void addSites(Map<String, Object> answer) {
    List<Map<String, Object>> sites = new ArrayList<>();
    answer.put("sites", sites);
    if (answer.get("sources") instanceof Map<?, ?> sources && TRUE.equals(sources.get("handles"))) {
      HandleSource.addSites(sites);
    }
    try {
      AgentSource.addSites(sites);
    } catch (JMException | JMRuntimeException e) {
      answer.put("note", "the agent's call sites could not be read (" + e + ")");
    }
  }

  private static void addAgent(Map<String, Object> answer) {
    Map<String, Object> agent = new LinkedHashMap<>();
    answer.put("agent", agent);
    agent.put("present", AgentSource.isAgentHere());
    if (!AgentSource.isAgentHere()) {
      agent.put("note", "start the program with -javaagent:offcut-agent.jar=level=count");
      return;
    }
    try {
      Object version = AgentSource.attribute("Version");
      String account = version == null ? null : AgentSource.account();
      if (version == null || account == null) {
        agent.put("note", "the agent has no bean yet; it has one within a second");
        return;
      }
      agent.put("version", version);
      agent.put("level", AgentSource.attribute("Level"));
      agent.put("attached", AgentSource.attribute("Attached"));
      agent.put("patched", AgentSource.attribute("Patched"));
      agent.put("stood_down", AgentSource.attribute("StoodDown"));
      Object accounts = JsonParserFactory.getJsonParser().parseMap(account).get("accounts");
      if (accounts instanceof List<?> taken && !taken.isEmpty()) {
        answer.put("account", taken.get(0));
      } else {
        agent.put("note", "the agent could not take an account of the process");
      }
    } catch (JMException | JMRuntimeException e) {
      agent.put("note", "the agent could not be read (" + e + ")");
    }
  }
}
