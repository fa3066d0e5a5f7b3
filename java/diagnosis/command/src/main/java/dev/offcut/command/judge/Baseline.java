package dev.offcut.command.judge;

import dev.offcut.command.judge.Finding.Severity;
import dev.offcut.command.judge.Finding.What;
import dev.offcut.command.read.CallSite;
import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Failure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Findings that are known, as the lines of a file. A finding is known if the file has its severity,
 * its resource and its line of the program. Of that line the class, the method and the file count.
 * Its number does not, nor do the numbers that a compiler gives to lambdas and anonymous classes:
 * they change when other code of the file is edited.
 *
 * <pre>
 * LOST  arena.confined  com.acme.Store.load(Store.java:88)  count=1000 bytes=64000000  # the reason
 * </pre>
 */
public final class Baseline {
  /** A baseline that knows no finding. */
  public static final Baseline NONE = new Baseline("", Map.of());

  /** A known finding is shown again if a figure is more than this many times the known one. */
  private static final long MUCH_WORSE = 2;

  private static final String NOTHING = "-";
  private static final String NO_REASON = "reason?";

  private static final Pattern LINE =
      Pattern.compile(
          "(\\S+)\\s{2,}(\\S.*?)\\s{2,}(\\S.*?)\\s{2,}count=(\\d{1,18})\\s+bytes=(\\d{1,18})"
              + "(?:\\s+#\\s*(.*))?");

  /** What may change although the code of a line does not. */
  private static final Pattern NUMBERS = Pattern.compile(":\\d+(?=\\)$)|(?<=\\$)\\d+");

  private static final String HEAD =
      """
      # Known findings: offcut run and offcut report leave them out with --baseline and this file.
      # A line: finding, kind of resource, line of the program, figures, # why it is accepted.
      # The class, the method and the file are compared, not the line's number.
      # A finding with more than twice the count or the bytes is reported again.
      """;

  private final String file;
  private final Map<Key, Known> known;

  private Baseline(String file, Map<Key, Known> known) {
    this.file = file;
    this.known = known;
  }

  /** What makes two findings the same one. */
  private record Key(String severity, String resource, String place) {
    Key {
      place = NUMBERS.matcher(place).replaceAll("");
    }
  }

  /** The figures of a known finding; 0: not known. */
  private record Known(String place, long count, long bytes, String reason) {
    Known most(Known other) {
      return new Known(place, Math.max(count, other.count), Math.max(bytes, other.bytes), reason);
    }

    boolean isExceededBy(Finding now) {
      return (count > 0 && now.count() > MUCH_WORSE * count)
          || (bytes > 0 && now.bytes() > MUCH_WORSE * bytes);
    }
  }

  /** What the lines of a file say. {@code file}: its name, for people. */
  public static Baseline of(List<String> lines, String file) throws Failure {
    Map<Key, Known> known = new HashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      Matcher form = LINE.matcher(line);
      if (!form.matches() || !isAlarm(form.group(1))) {
        throw Failure.unreadable(
            ("%s:%s: not a known finding: %s; an example: LOST  arena.confined "
                    + " com.acme.Store.load(Store.java:88)  count=10 bytes=640  # reason. Two spaces"
                    + " stand between parts")
                .formatted(file, (i + 1), line));
      }
      String reason = Optional.ofNullable(form.group(6)).orElse(NO_REASON);
      known.merge(
          new Key(form.group(1), form.group(2), form.group(3)),
          new Known(
              form.group(3), Long.parseLong(form.group(4)), Long.parseLong(form.group(5)), reason),
          Known::most);
    }
    return new Baseline(file, known);
  }

  private static boolean isAlarm(String severity) {
    return Stream.of(Severity.values())
        .anyMatch(one -> one.isAlarm() && one.name().equals(severity));
  }

  /** The report without the known findings: one note at its end has them. */
  public Digest applied(Digest report) {
    List<Finding> shown = new ArrayList<>();
    List<Finding> leftOut = new ArrayList<>();
    for (Finding finding : report.findings()) {
      Known its = known.get(key(finding, report));
      if (its == null) {
        shown.add(finding);
      } else if (its.isExceededBy(finding)) {
        shown.add(finding.with(new Evidence.GotWorse(file, its.count, its.bytes)));
      } else {
        leftOut.add(finding);
      }
    }
    if (!leftOut.isEmpty()) {
      shown.add(
          Finding.of(Severity.NOTE, What.KNOWN)
              .subject(file)
              .count(leftOut.size(), 0)
              .because(new Evidence.LeftOut(List.copyOf(leftOut)))
              .done());
    }
    return report.with(report.memory(), List.copyOf(shown));
  }

  /** A file of the alarms of reports, those left out included, with the reasons of this one. */
  public String text(List<Digest> reports) {
    Map<Key, Known> all = new HashMap<>();
    for (Digest report : reports) {
      alarms(report)
          .forEach(
              finding -> {
                Key key = key(finding, report);
                Known before = known.get(key);
                String reason = before == null ? NO_REASON : before.reason;
                all.merge(
                    key,
                    new Known(place(finding, report), finding.count(), finding.bytes(), reason),
                    Known::most);
              });
    }
    return all.entrySet().stream()
        .map(one -> line(one.getKey(), one.getValue()))
        .sorted()
        .collect(Collectors.joining("", HEAD, ""));
  }

  private static String line(Key key, Known its) {
    return "%s  count=%s bytes=%s  # %s\n"
        .formatted(
            String.join("  ", key.severity, key.resource, its.place),
            its.count,
            its.bytes,
            its.reason);
  }

  private static Stream<Finding> alarms(Digest report) {
    return report.findings().stream()
        .flatMap(one -> Stream.concat(Stream.of(one), one.leftOut().stream()))
        .filter(one -> one.severity().isAlarm());
  }

  private static Key key(Finding finding, Digest report) {
    String kind = finding.kind();
    String name = kind != null ? kind : finding.subject();
    return new Key(
        finding.severity().name(),
        part(name.isEmpty() ? finding.what().name().toLowerCase(Locale.ROOT) : name),
        place(finding, report));
  }

  private static String place(Finding finding, Digest report) {
    Integer site = finding.site();
    CallSite at = site == null ? finding.at() : report.sites().get(site).at();
    return at.isKnown() ? part(at.own()) : NOTHING;
  }

  /** A part of a line has single spaces, and is no comment. */
  private static String part(String name) {
    String bare = name.replaceAll("\\s+", " ").replaceFirst("^[ #]+", "").strip();
    return bare.isEmpty() ? NOTHING : bare;
  }
}
