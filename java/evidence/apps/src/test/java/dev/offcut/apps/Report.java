package dev.offcut.apps;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A report, {@code offcut.report/2}, as far as it is looked at here. */
record Report(JsonNode all) {
  static Report read(String text) throws IOException {
    return new Report(new ObjectMapper().readTree(text));
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
    private static Kind of(JsonNode of) {
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

  private static String text(JsonNode of, String name) {
    return of.required(name).textValue();
  }

  private static long number(JsonNode of, String name) {
    return of.required(name).longValue();
  }

  private List<JsonNode> list(String name) {
    return all.required(name).valueStream().toList();
  }

  String schema() {
    return text(all, "schema");
  }

  boolean isComplete() {
    return all.required("complete").booleanValue();
  }

  String main() {
    return text(all.required("target"), "main");
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
    for (JsonNode site : list("sites")) {
      if (text(site, "kind").equals(kind)) {
        sites.add(String.join("\n", frames(site)));
      }
    }
    return sites;
  }

  private static List<String> frames(JsonNode site) {
    return site.required("frames").valueStream().map(JsonNode::textValue).toList();
  }

  @Nullable Saved saved(String feature) {
    for (JsonNode one : list("saved")) {
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
    return number(all.required("memory"), "resident");
  }
}
