package dev.offcut.fleet;

import dev.offcut.command.read.Failure;
import java.util.Map;
import java.util.TreeMap;

/**
 * What changed between two days, or two versions, per hour that the processes ran. The JSON is
 * {@code offcut.fleet-diff/1}.
 *
 * @param sides of each of the two how many processes, and how long they ran
 * @param limits what they could not see, so that fewer losses of a side need not be fewer
 */
public record FleetDiff(
    String from,
    String to,
    Engine.Answer sides,
    Engine.Answer limits,
    Engine.Answer kinds,
    Engine.Answer lines) {
  /** Between the processes that began on two days, as {@code YYYY-MM-DD}. */
  public static FleetDiff ofDays(Engine engine, String from, String to, int top) throws Failure {
    return of(engine, "cast(date AS varchar(10))", from, to, top);
  }

  /** Between the processes of two versions. */
  public static FleetDiff ofVersions(Engine engine, String from, String to, int top)
      throws Failure {
    return of(engine, "version", from, to, top);
  }

  private static FleetDiff of(Engine engine, String column, String from, String to, int top)
      throws Failure {
    Map<String, Object> values = Map.of("from", from, "to", to, "top", top);
    return new FleetDiff(
        from,
        to,
        engine.query(new Question("diff_sides").sql(values).replace("{side}", column)),
        engine.query(new Question("diff_limits").sql(values).replace("{side}", column)),
        engine.query(new Question("diff_kinds").sql(values).replace("{side}", column)),
        engine.query(new Question("diff_lines").sql(values).replace("{side}", column)));
  }

  /** How many processes one of the sides has; 0 if there are none. */
  public long processes(String side) {
    return sides.rows().stream()
        .filter(row -> side.equals(row.getFirst()))
        .mapToLong(row -> row.get(1) instanceof Number number ? number.longValue() : 0)
        .sum();
  }

  /** {@code offcut.fleet-diff/1}. */
  public String json() {
    return FleetReport.written(
        json -> {
          json.writeStartObject();
          json.writeStringField("schema", "offcut.fleet-diff/1");
          json.writeStringField("from", from);
          json.writeStringField("to", to);
          FleetReport.write(
              json,
              new TreeMap<>(
                  Map.of("sides", sides, "limits", limits, "kinds", kinds, "lines", lines)));
          json.writeEndObject();
        });
  }
}
