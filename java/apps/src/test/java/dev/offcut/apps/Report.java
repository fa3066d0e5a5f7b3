package dev.offcut.apps;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A report, {@code offcut.report/1}, as far as it is looked at here. */
record Report(Map<String, Object> all) {
  static Report read(String text) throws IOException {
    return new Report(Json.object(Json.read(text)));
  }

  /** What is known of a kind of memory: 0 of all if there was none. */
  record Kind(
      String name,
      long opened,
      long closed,
      long collected,
      long lost,
      long open,
      long openedBytes) {
    private static Kind of(Object of) {
      return new Kind(
          text(of, "kind"),
          number(of, "opened"),
          number(of, "closed"),
          number(of, "collected"),
          number(of, "lost"),
          number(of, "open"),
          number(of, "openedBytes"));
    }
  }

  /** What was spared. */
  record Saved(String unit, long done, long saved) {}

  /** A class with a finalizer. */
  record Finalizer(String type, long registered, long run) {}

  private static String text(Object of, String name) {
    return (String) Json.member(of, name);
  }

  private static long number(Object of, String name) {
    return ((BigDecimal) Json.member(of, name)).longValueExact();
  }

  private List<Object> list(String name) {
    return Json.array(Json.member(all, name));
  }

  String schema() {
    return text(all, "schema");
  }

  boolean isComplete() {
    return (Boolean) Json.member(all, "complete");
  }

  String main() {
    return text(Json.member(all, "target"), "main");
  }

  List<Kind> kinds() {
    return list("kinds").stream().map(Kind::of).toList();
  }

  Kind kind(String name) {
    return kinds().stream()
        .filter(kind -> kind.name().equals(name))
        .findFirst()
        .orElse(new Kind(name, 0, 0, 0, 0, 0, 0));
  }

  /** The frames of all sites of a kind, one string a site. */
  List<String> sites(String kind) {
    List<String> sites = new ArrayList<>();
    for (Object site : list("sites")) {
      if (text(site, "kind").equals(kind)) {
        sites.add(String.join("\n", frames(site)));
      }
    }
    return sites;
  }

  private static List<String> frames(Object site) {
    return Json.array(Json.member(site, "frames")).stream().map(String.class::cast).toList();
  }

  @Nullable Saved saved(String feature) {
    for (Object one : list("saved")) {
      if (text(one, "feature").equals(feature)) {
        return new Saved(text(one, "unit"), number(one, "done"), number(one, "saved"));
      }
    }
    return null;
  }

  List<Finalizer> finalizers() {
    return list("finalizers").stream()
        .map(o -> new Finalizer(text(o, "type"), number(o, "registered"), number(o, "run")))
        .toList();
  }

  /** Those of a severity, as titles. */
  List<String> findings(String severity) {
    return list("findings").stream()
        .filter(finding -> text(finding, "severity").equals(severity))
        .map(finding -> text(finding, "title"))
        .toList();
  }

  long resident() {
    Object memory = Objects.requireNonNull(all.get("memory"));
    return number(memory, "resident");
  }
}
