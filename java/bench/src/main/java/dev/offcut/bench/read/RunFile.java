package dev.offcut.bench.read;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.offcut.bench.JsonReport;
import dev.offcut.bench.Numbers;
import java.io.IOException;
import java.io.Reader;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One run of one suite, as it was written.
 *
 * @param path where it was read from
 * @param environment where and when, in the order of the file
 * @param rows in the order of the file, each key once
 * @param bars as they were judged in the run: the bar, what was measured, the verdict; none in a
 *     file that does not have them
 * @param leftOut sentences: what was not measured, and why
 */
public record RunFile(
    Path path,
    String suite,
    Map<String, Object> environment,
    List<Row> rows,
    List<List<String>> bars,
    List<String> leftOut) {
  /**
   * Reads a file.
   *
   * @throws UnreadableFileException with a sentence for people, if it is no such file
   */
  public static RunFile read(Path path) throws UnreadableFileException {
    try (Reader text = Files.newBufferedReader(path)) {
      return of(path, members(JsonTree.read(text)));
    } catch (NoSuchFileException e) {
      throw new UnreadableFileException("there is no file " + path);
    } catch (JsonProcessingException e) {
      throw new UnreadableFileException(path + " is no JSON: " + e.getOriginalMessage());
    } catch (WrongShape e) {
      throw new UnreadableFileException(path + " is no " + JsonReport.SCHEMA + ": " + e.what);
    } catch (IOException e) {
      throw new UnreadableFileException(path + " cannot be read: " + e.getMessage());
    }
  }

  private static RunFile of(Path path, Map<String, @Nullable Object> file) throws WrongShape {
    Object schema = file.get("schema");
    if (!JsonReport.SCHEMA.equals(schema)) {
      throw new WrongShape(schema == null ? "it names no schema" : "it is " + schema);
    }
    Map<String, Object> environment = new LinkedHashMap<>();
    members(file.get("environment"))
        .forEach((name, value) -> environment.put(name, Objects.requireNonNullElse(value, "")));
    Map<Row.Key, Row> rows = new LinkedHashMap<>();
    if (!(file.get("rows") instanceof List<?>)) {
      throw new WrongShape("it has no rows");
    }
    for (Object each : array(file, "rows")) {
      Row row = row(members(each));
      if (rows.put(row.key(), row) != null) {
        throw new WrongShape("a row is there twice: " + row.key().place());
      }
    }
    List<List<String>> bars = new ArrayList<>();
    for (Object each : array(file, "bars")) {
      bars.add(bar(members(each)));
    }
    List<String> leftOut = array(file, "left_out").stream().map(String::valueOf).toList();
    List<Row> all = new ArrayList<>(rows.values());
    return new RunFile(path, text(file, "suite"), environment, all, bars, leftOut);
  }

  private static List<?> array(Map<String, @Nullable Object> of, String name) {
    return of.get(name) instanceof List<?> all ? all : List.of();
  }

  private static List<String> bar(Map<String, @Nullable Object> bar) throws WrongShape {
    return Numbers.bar(
        text(bar, "bar"),
        numberOrNull(bar, "measured"),
        numberOrNull(bar, "low"),
        numberOrNull(bar, "high"),
        text(bar, "verdict"));
  }

  private static Row row(Map<String, @Nullable Object> row) throws WrongShape {
    Row.Key key =
        new Row.Key(
            text(row, "case"),
            text(row, "impl"),
            (int) number(row, "threads"),
            text(row, "gc"),
            text(row, "runtime"),
            text(row, "metric"));
    Double rounds = numberOrNull(row, "rounds");
    return new Row(
        key,
        text(row, "version"),
        number(row, "value"),
        text(row, "unit"),
        number(row, "spread"),
        rounds == null ? 0 : (int) (double) rounds);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, @Nullable Object> members(@Nullable Object value) throws WrongShape {
    if (value instanceof Map<?, ?> map) {
      return (Map<String, @Nullable Object>) map;
    }
    throw new WrongShape("something in it is no object where one is to be");
  }

  private static String text(Map<String, @Nullable Object> of, String name) throws WrongShape {
    if (of.get(name) instanceof String text) {
      return text;
    }
    throw new WrongShape("a text is missing: " + name);
  }

  private static double number(Map<String, @Nullable Object> of, String name) throws WrongShape {
    Double number = numberOrNull(of, name);
    if (number == null) {
      throw new WrongShape("a number is missing: " + name);
    }
    return number;
  }

  private static @Nullable Double numberOrNull(Map<String, @Nullable Object> of, String name) {
    return of.get(name) instanceof BigDecimal number ? number.doubleValue() : null;
  }

  /** A fact about the run; empty if the file does not have it. */
  public String fact(String name) {
    return String.valueOf(environment.getOrDefault(name, ""));
  }

  /** Whether it is the quick form, whose figures are of smaller work. */
  public boolean isQuick() {
    return Boolean.TRUE.equals(environment.get("quick"));
  }

  /** The row with this key; null if there is none. */
  public @Nullable Row find(Row.Key key) {
    return rows.stream().filter(row -> row.key().equals(key)).findFirst().orElse(null);
  }

  /** Case, collector and threads of a row, and its runtime, if that is not the run's own. */
  public String place(Row row) {
    String runtime = row.key().runtime();
    boolean own = List.of(runtime, "").contains(fact("runtime")); // a file may not say
    return row.key().place() + (own ? "" : ", " + runtime);
  }

  /** JSON of another shape than was agreed. */
  private static final class WrongShape extends Exception {
    private static final long serialVersionUID = 1;
    private final String what;

    WrongShape(String what) {
      super(what);
      this.what = what;
    }
  }

  /**
   * One measured value as it stands in a file.
   *
   * @param key what it is about
   * @param version of the implementation
   * @param value the median of the rounds
   * @param unit of value and spread
   * @param spread half the distance between the quartiles; 0 for a single round
   * @param rounds how many there were; 0 if the file does not say
   */
  public record Row(Key key, String version, double value, String unit, double spread, int rounds) {
    /**
     * What is the same in two runs of one measurement.
     *
     * @param caseName {@code case} in the JSON
     * @param runtime such as {@code java 25.0.3+9-LTS}
     */
    public record Key(
        String caseName, String impl, int threads, String gc, String runtime, String metric) {
      /** The same of another implementation. */
      public Key by(String other) {
        return new Key(caseName, other, threads, gc, runtime, metric);
      }

      /** Case, collector and threads, in the words of a report. */
      public String place() {
        return caseName + ", " + gc + ", " + threads + (threads == 1 ? " thread" : " threads");
      }
    }

    /** The value and how far its rounds lie apart. */
    public String text() {
      return Numbers.brief(value, spread);
    }
  }
}
