package dev.offcut.command.show;

import static dev.offcut.command.read.Figures.bytes;
import static dev.offcut.command.read.Figures.count;

import dev.offcut.command.judge.Finding;
import dev.offcut.command.read.CallSite;
import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Figures;
import dev.offcut.command.read.Kinds;
import dev.offcut.command.read.Order;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What nobody closed, in the words of {@code spec/leak-report.txt}: what is lost, then handles that
 * were forgotten.
 */
public final class LeaksText {
  private static final int MOST_SITES = 5;

  /** Memory of arenas that may have been opened elsewhere. */
  private static final String FILLED_AT = "  filled at  ";

  private final Digest digest;
  private final Text text;

  private LeaksText(Digest digest, boolean coloured) {
    this.digest = digest;
    this.text = new Text(coloured);
  }

  /** By kind, with the places that lost most of each. */
  public static String byKind(Digest digest, boolean coloured) {
    LeaksText leaks = new LeaksText(digest, coloured);
    leaks.kinds(kind -> true);
    leaks.types(type -> true);
    leaks.pools();
    return leaks.textOrNone();
  }

  /**
   * Each place that lost any, the most bytes first; then what is lost and has no place, such as all
   * that the agent counts at level count.
   */
  public static String bySite(Digest digest, boolean coloured) {
    LeaksText leaks = new LeaksText(digest, coloured);
    List<Digest.Site> sites = digest.sites().stream().filter(site -> site.lost() > 0).toList();
    sites.forEach(leaks::site);
    digest.filled().stream().filter(one -> one.lostBytes() > 0).forEach(leaks::filledSite);
    digest.handleLeaks().forEach(leaks::handleSite);
    Set<String> placed = sites.stream().map(Digest.Site::kind).collect(Collectors.toSet());
    leaks.kinds(kind -> !placed.contains(kind));
    Set<String> placedTypes =
        digest.handleLeaks().stream().map(Digest.HandleLeak::type).collect(Collectors.toSet());
    leaks.types(type -> !placedTypes.contains(type));
    leaks.pools();
    return leaks.textOrNone();
  }

  private void kinds(Predicate<String> which) {
    digest.kinds().stream()
        .filter(kind -> kind.lost() > 0 && which.test(kind.kind()))
        .forEach(this::kind);
  }

  private void types(Predicate<String> which) {
    digest.handles().stream()
        .filter(handles -> handles.forgotten() > 0 && which.test(handles.type()))
        .sorted(Order.byLong(Digest.Handles::forgotten).reversed())
        .forEach(this::handles);
  }

  /**
   * Pools of a Go program that are lost, and arenas of theirs that were forgotten: neither has a
   * kind.
   */
  private void pools() {
    digest.findings().stream()
        .filter(one -> one.severity() == Finding.Severity.LOST && one.kind() == null)
        .forEach(one -> text.line(lost("LOST") + "  " + one.title()));
    digest.pools().stream()
        .filter(pool -> pool.forgottenArenas() > 0)
        .forEach(
            pool ->
                text.line(
                    lost("FORGOTTEN")
                        + "  "
                        + count(pool.forgottenArenas(), "arena")
                        + " of the pool "
                        + pool.pool()));
  }

  /** Good news, and how far it goes. */
  static String nothing(Digest digest) {
    if (digest.watched().isEmpty()) {
      return "Nothing was counted, so nothing is known about leaks.";
    }
    if (!digest.gaps().unpublished().isEmpty()) {
      return "Whether something was lost is not known: the agent could not publish all of its figures.";
    }
    return (digest.limits().isEmpty()
            ? "Nothing was lost or forgotten"
            : "No lost or forgotten resource was seen")
        + " among the kinds that were tracked: "
        + digest.allWatched()
        + ". Not tracked: "
        + digest.allUnwatched()
        + ".";
  }

  private String textOrNone() {
    String leaks = text.toString();
    if (!leaks.isEmpty()) {
      return leaks;
    }
    if (!digest.hasStarted()) {
      return "The program did not start.\n";
    }
    text.wrapped("", nothing(digest));
    digest.limits().forEach(limit -> text.wrapped("  ", limit));
    return text.toString();
  }

  private String lost(String word) {
    return text.paint(Text.Colour.RED, word);
  }

  private String level() {
    return "   level=" + digest.target().level();
  }

  private void kind(Digest.Kind kind) {
    text.line(
        lost("LOST")
            + "  kind="
            + kind.kind()
            + "  "
            + count(kind.lost())
            + " lost of "
            + count(kind.opened())
            + " opened"
            + (Kinds.isCloseable(kind.kind())
                ? ""
                : ", " + bytes(kind.lostBytes()) + " never freed")
            + "; "
            + count(kind.open())
            + " open now"
            + level());
    List<Digest.Site> sites =
        digest.sites().stream()
            .filter(site -> site.kind().equals(kind.kind()) && site.lost() > 0)
            .toList();
    sites.stream()
        .limit(MOST_SITES)
        .forEach(site -> text.stack("  opened at  ", site.at(), "   (" + figure(site) + ")"));
    if (sites.size() > MOST_SITES) {
      text.line("  and " + count(sites.size() - MOST_SITES) + " more sites");
    }
    filled(kind);
    text.line("  try        " + digest.remedy(kind.kind()) + more(sites));
  }

  private void filled(Digest.Kind kind) {
    digest.filled().stream()
        .filter(one -> one.kind().equals(kind.kind()) && one.lostBytes() > 0)
        .limit(MOST_SITES)
        .forEach(
            one ->
                text.stack(
                    FILLED_AT,
                    one.at(),
                    "   ("
                        + neverFreed(one)
                        + ", "
                        + Figures.count(one.samples(), "sample")
                        + ")"));
  }

  private void filledSite(Digest.Filled filled) {
    text.line(
        lost("LOST") + "  memory of " + Kinds.words(filled.kind(), 2) + ": " + neverFreed(filled));
    text.stack(FILLED_AT, filled.at(), "");
  }

  private String neverFreed(Digest.Filled filled) {
    return "about " + digest.lostBytes(filled) + " never freed";
  }

  /** At full it is a count, otherwise an estimate. */
  private String figure(Digest.Site site) {
    return site.exact()
        ? count(site.lost()) + " lost"
        : "about " + digest.lost(site) + " lost, " + count(site.samples()) + " recorded";
  }

  private String more(List<Digest.Site> sites) {
    return switch (digest.target().level()) {
      case "full" -> "";
      case "sample" ->
          (sites.isEmpty() ? "; no site was recorded" : "")
              + "; to record every site: --level full";
      default -> "; to record sites: --level sample, or full in tests";
    };
  }

  private void handles(Digest.Handles handles) {
    List<Digest.HandleLeak> sites =
        digest.handleLeaks().stream()
            .filter(leak -> leak.type().equals(handles.type()) && !leak.frames().isEmpty())
            .toList();
    text.line(
        lost("FORGOTTEN")
            + "  type="
            + handles.type()
            + "  "
            + count(handles.forgotten())
            + " of "
            + count(handles.opened())
            + " opened, released by the safety net; "
            + count(handles.open())
            + " open now"
            + handleLevel(handles.type()));
    sites.stream().limit(MOST_SITES).forEach(this::opened);
    if (sites.size() > MOST_SITES) {
      text.line("  and " + count(sites.size() - MOST_SITES) + " more sites");
    }
    text.line(
        "  try        "
            + (digest.target().isGo() ? "defer each Close" : "close each in try-with-resources")
            + moreHandles(handles.type(), sites));
  }

  private void opened(Digest.HandleLeak leak) {
    text.stack("  opened at  ", leak.at(), "   (" + count(leak.count()) + " recorded)");
  }

  private String handleLevel(String type) {
    String level = levelOf(type);
    return level.isEmpty() ? "" : "   level=" + level;
  }

  /** Handles have a level of their own. */
  private String levelOf(String type) {
    return digest.handleLeaks().stream()
        .filter(leak -> leak.type().equals(type))
        .map(Digest.HandleLeak::level)
        .findFirst()
        .orElse("");
  }

  private String moreHandles(String type, List<Digest.HandleLeak> sites) {
    return switch (levelOf(type)) {
      case "full" -> "";
      case "sample" ->
          (sites.isEmpty() ? "; no site was recorded" : "")
              + "; to record every site: "
              + detection("full");
      default -> "; to record sites: " + detection("sample") + ", or full in tests";
    };
  }

  /** How the level of handles is chosen. */
  private String detection(String level) {
    return (digest.target().isGo() ? "OFFCUT_HANDLE_DETECTION=" : "-Doffcut.handle.detection=")
        + level;
  }

  private void site(Digest.Site site) {
    text.line(
        lost("LOST")
            + "  "
            + (site.exact() ? "" : "about ")
            + digest.lost(site)
            + " "
            + digest.words(site.kind(), site.lost())
            + (site.tellsBytes()
                ? ", " + digest.lostBytes(site) + " never freed"
                : ", never closed"));
    text.stack("  opened at  ", site.at(), "");
  }

  private void handleSite(Digest.HandleLeak leak) {
    text.line(lost("FORGOTTEN") + "  " + count(leak.count()) + " of type " + leak.type());
    String missing = "(no site was recorded: " + detection("sample") + ", or full in tests)";
    text.stack(
        "  opened at  ", leak.at().isKnown() ? leak.at() : new CallSite(List.of(missing)), "");
  }
}
