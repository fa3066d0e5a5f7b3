package dev.offcut.command.show;

import static dev.offcut.command.read.Figures.bytes;
import static dev.offcut.command.read.Figures.count;
import static dev.offcut.command.read.Figures.percent;

import dev.offcut.command.judge.Finding;
import dev.offcut.command.read.CallSite;
import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Figures;
import dev.offcut.command.read.NativeCallers;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** All of a digest for people to read: what to act on first, then details, then where memory is. */
public final class ReportText {
  private static final int MOST_SITES = 5;

  /** Columns of a finding's severity. */
  private static final int SEVERITY = 9;

  private static final int MOST_FINALIZERS = 10;

  private final Digest digest;
  private final Text text;

  private ReportText(Digest digest, boolean coloured) {
    this.digest = digest;
    this.text = new Text(coloured);
  }

  public static String of(Digest digest, boolean coloured) {
    ReportText report = new ReportText(digest, coloured);
    report.head();
    report.findings();
    report.text.append(CountsText.kinds(digest));
    report.sites();
    report.otherSites();
    report.text.append(CountsText.handles(digest)).append(CountsText.pools(digest));
    report.maps();
    if (digest.holders() != null) {
      report.text.append(HoldersText.of(digest.holders(), digest, coloured));
    }
    report.costs();
    report.memory();
    return report.text.toString();
  }

  private void head() {
    Digest.Target target = digest.target();
    text.title(
        target.main()
            + (target.pid() < 0 ? "" : ", process " + target.pid())
            + (target.runtime().isEmpty() ? "" : ", " + target.runtime())
            + (target.started().isEmpty() ? "" : recorded(target)));
    digest.notes().forEach(note -> text.wrapped("  ", note));
    text.line();
  }

  private static String recorded(Digest.Target target) {
    return ", "
        + Figures.seconds(target.seconds())
        + (target.isGo() && target.level().equals("none") ? "" : ", level " + target.level())
        + (target.level().equals("sample") ? " (one stack in " + target.sampleEvery() + ")" : "");
  }

  private void findings() {
    for (Finding finding : digest.findings()) {
      String severity = finding.severity().name();
      text.line(text.paint(colour(finding.severity()), padded(severity)) + "  " + finding.title());
      text.wrapped("           ", finding.text());
    }
    if (digest.leaks().isEmpty() && digest.hasStarted()) {
      text.wrapped("", nothing());
    }
    text.line();
  }

  /** Good news, if there is no other, and how far it goes. */
  private String nothing() {
    if (digest.coverage().watched().isEmpty()) {
      return "Nothing was counted, so nothing is known about leaks.";
    }
    if (!digest.gaps().unpublished().isEmpty()) {
      return "Whether something was lost is not known: the agent could not publish all of its"
          + " figures.";
    }
    String tracked = digest.coverage().allWatched();
    String others = digest.coverage().allUnwatched();
    if (digest.findings().stream().anyMatch(one -> one.severity().isAlarm())) {
      return "Offcut tracked " + tracked + ". It did not track " + others + ".";
    }
    boolean isAll =
        digest.findings().stream()
            .flatMap(one -> one.leftOut().stream())
            .noneMatch(Finding::isLeak);
    return "%s among the kinds that were tracked: %s. Not tracked: %s."
        .formatted(
            digest.limits().isEmpty()
                ? (isAll ? "Nothing" : "Nothing else") + " was lost or forgotten"
                : (isAll ? "No" : "No other") + " lost or forgotten resource was seen",
            tracked,
            others);
  }

  private static String padded(String severity) {
    return severity + " ".repeat(Math.max(0, SEVERITY - severity.length()));
  }

  static Text.Colour colour(Finding.Severity severity) {
    return switch (severity) {
      case LOST, FORGOTTEN -> Text.Colour.RED;
      case GROWING, LATE, OPEN, KEPT, POOLED, MAPPED, THREADS, LOADERS, DESCRIPTORS, LIMIT, COST ->
          Text.Colour.YELLOW;
      case NOTE -> Text.Colour.CYAN;
    };
  }

  private void sites() {
    List<Digest.Site> held =
        digest.sites().stream().filter(site -> site.lost() > 0 || site.open() > 0).toList();
    String title = "Call sites that lost or hold the most" + estimates(held);
    places(title, held, held.size() - MOST_SITES, this::summary, Digest.Site::at);
  }

  /** A line and a stack for each; how many {@code more} there are, if that is above zero. */
  private <T> void places(
      String title, List<T> all, int more, Function<T, String> line, Function<T, CallSite> at) {
    if (all.isEmpty()) {
      return;
    }
    text.title(title);
    for (T one : all.subList(0, all.size() - Math.max(0, more))) {
      text.line("  " + line.apply(one)).stack(at.apply(one));
    }
    if (more > 0) {
      text.line("  and " + count(more) + " more");
    }
    text.line();
  }

  private static String estimates(List<Digest.Site> sites) {
    return sites.stream().allMatch(Digest.Site::exact) ? "" : ", estimated from samples";
  }

  private String summary(Digest.Site site) {
    Digest.Margins known = site.margins();
    Digest.Margins of = known == null ? new Digest.Margins(0, 0, 0, 0) : known;
    String kind = site.kind();
    String lost = count(site.lost(), of.lost(), most(kind, Digest.Kind::lost));
    String lostBytes = bytes(site.lostBytes(), of.lostBytes(), most(kind, Digest.Kind::lostBytes));
    String open = count(site.open(), of.open(), most(kind, Digest.Kind::open));
    String bytes = bytes(site.bytes(), of.bytes(), most(kind, Digest.Kind::bytes));
    return kind
        + (site.lost() > 0 ? figure(site, lost + " lost", lostBytes) : "")
        + (site.open() > 0 ? figure(site, open + " open", bytes) : "")
        + (kind.equals(NativeCallers.KIND) ? ", by " + site.frames().getFirst() : "");
  }

  /** Bytes of a class that a rule names are not known. */
  private static String figure(Digest.Site site, String number, String size) {
    return "  " + number + (site.tellsBytes() ? ", " + size : "");
  }

  /** Estimates are no more than all of the kind. */
  private long most(String kind, ToLongFunction<Digest.Kind> figure) {
    return digest.kinds().stream()
        .filter(one -> one.kind().equals(kind))
        .mapToLong(figure)
        .findFirst()
        .orElse(Long.MAX_VALUE);
  }

  /** Where memory of leaked arenas was allocated, and where forgotten handles were opened. */
  private void otherSites() {
    places(
        "Call sites that allocated memory which was never freed, estimated from samples",
        digest.filled().stream().filter(one -> one.lostBytes() > 0).limit(MOST_SITES).toList(),
        0,
        one -> {
          long most = most(one.kind(), Digest.Kind::lostBytes);
          return one.kind() + "  " + bytes(one.lostBytes(), one.lostMargin(), most);
        },
        Digest.Filled::at);
    places(
        "Call sites that opened forgotten handles",
        digest.handleLeaks().stream()
            .filter(leak -> leak.at().isKnown())
            .limit(MOST_SITES)
            .toList(),
        0,
        leak -> leak.type() + "  " + count(leak.count()) + " recorded",
        Digest.HandleLeak::at);
  }

  /** They are to be looked at; text has no room. */
  private void maps() {
    if (!digest.maps().isEmpty()) {
      text.line(
          "To see a map of "
              + (digest.maps().size() == 1 ? "this pool" : "these pools")
              + ", make the page: offcut report SRC -o FILE.html");
      text.line();
    }
  }

  private void costs() {
    places(
        "Collections forced by direct memory",
        digest.forcedCollections(),
        0,
        forced -> count(forced.count()) + " times",
        Digest.Forced::at);
    finalizers();
    saved();
    Digest.Loaders loaders = digest.loaders();
    if (loaders != null) {
      text.line(
          "Class loaders: %s, metaspace %s committed, %s used"
              .formatted(
                  count(loaders.loaders()), bytes(loaders.committed()), bytes(loaders.used())));
      text.line();
    }
  }

  private void finalizers() {
    if (digest.finalizers().isEmpty()) {
      return;
    }
    Table table = new Table().add("Classes with a finalizer", "registered", "run");
    digest.finalizers().stream()
        .limit(MOST_FINALIZERS)
        .forEach(one -> table.add(one.type(), count(one.registered()), count(one.run())));
    text.table(table).line();
  }

  private void saved() {
    if (digest.saved().isEmpty()) {
      return;
    }
    Table table = new Table().add("Work the agent saved", "done", "saved");
    for (Digest.Saved saved : digest.saved()) {
      table.add(saved.feature() + ", " + saved.unit(), count(saved.done()), count(saved.saved()));
    }
    text.table(table).line();
  }

  /** Where resident memory is, as a sum whose last line is what is resident. */
  private void memory() {
    Digest.Memory memory = digest.memory();
    if (memory.resident() < 0) {
      text.line(
              digest.target().isGo()
                  ? "Resident memory is not known: the program ended before it was looked at."
                  : "Resident memory is not known: the recording has no offcut.ProcessMemory"
                      + " event.")
          .line();
      return;
    }
    Table table =
        new Table().add(memory.accounted() ? "Where resident memory is" : "Memory", "", "");
    for (Digest.Part part : memory.parts()) {
      table.add(part.part(), bytes(part.bytes()), percent(part.bytes(), memory.resident()));
    }
    table.add(
        "resident", bytes(memory.resident()), limit(memory.resident(), memory.containerLimit()));
    text.table(table);
    memory.remarks().forEach(remark -> text.wrapped("  ", remark));
    text.line();
  }

  private static String limit(long resident, @Nullable Long limit) {
    return limit == null ? "" : percent(resident, limit) + " of the container's " + bytes(limit);
  }
}
