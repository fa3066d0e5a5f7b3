package dev.offcut.command.show;

import dev.offcut.command.judge.Finding;
import dev.offcut.command.read.CallSite;
import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Json;
import dev.offcut.command.read.Kinds;
import dev.offcut.command.read.NativeCallers;
import dev.offcut.command.read.Series;
import dev.offcut.command.read.Versions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A digest as one JSON object, {@code offcut.report/2}: members are added, never changed. {@code
 * spec/report.schema.json} describes it; {@code spec/report-1.schema.json} what the page reads
 * besides.
 */
public final class DigestJson {
  public static final String SCHEMA = "offcut.report/2";

  private DigestJson() {}

  public static String of(Digest digest) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("schema", SCHEMA);
    all.put("tool", Versions.own());
    all.put("complete", digest.complete());
    all.put("target", digest.target());
    all.put("notes", digest.notes());
    all.put("limits", digest.limits());
    all.put("watched", digest.coverage().watched());
    all.put("unwatched", digest.coverage().unwatched());
    all.put("kinds", Json.each(digest.kinds(), kind -> kind(kind, digest)));
    all.put("closeables", digest.closeables());
    all.put("watchedClasses", Json.each(digest.watchedClasses(), DigestJson::watchedClass));
    all.put("sites", Json.each(digest.sites(), DigestJson::site));
    all.put("filled", Json.each(digest.filled(), DigestJson::filled));
    all.put("handles", digest.handles());
    all.put("handleLeaks", Json.each(digest.handleLeaks(), leak -> placed(leak)));
    all.put("pools", Json.each(digest.pools(), pool -> without(pool, "forgottenArenas")));
    all.put("bufferPools", Json.each(digest.bufferPools(), DigestJson::bufferPool));
    all.put("forcedCollections", Json.each(digest.forcedCollections(), forced -> placed(forced)));
    all.put("finalizers", digest.finalizers());
    all.put("saved", digest.saved());
    all.put("loaders", digest.loaders());
    all.put("nativeCallers", callers(digest.callers()));
    all.put("holders", digest.holders());
    all.put("memory", digest.memory());
    all.put("account", digest.series().account());
    all.put("findings", Json.each(digest.findings(), finding -> finding(finding, digest)));
    if (!digest.maps().isEmpty()) {
      all.put("map", digest.maps());
    }
    all.put("series", series(digest.series()));
    return Json.text(all);
  }

  private static Map<String, @Nullable Object> kind(Digest.Kind kind, Digest digest) {
    Map<String, @Nullable Object> members = Json.members(kind);
    if (Kinds.isEstimated(kind.kind())) {
      members.put("estimated", true);
    }
    for (Digest.Closeable rule : digest.closeables()) {
      if (rule.kind().equals(kind.kind())) {
        members.put("freedBy", rule.freedBy());
      }
    }
    return members;
  }

  private static Map<String, @Nullable Object> watchedClass(Digest.WatchedClass one) {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    // No component can be called class.
    Json.members(one)
        .forEach((name, value) -> members.put(name.equals("type") ? "class" : name, value));
    return members;
  }

  /** Without what is not known of the place. */
  private static Map<String, @Nullable Object> placed(Record of) {
    Map<String, @Nullable Object> members = Json.members(of);
    if (List.of().equals(members.get("frames"))) {
      members.remove("own");
    }
    members.remove("through", List.of());
    members.remove("paths", List.of());
    return members;
  }

  private static Map<String, @Nullable Object> without(Record of, String... names) {
    Map<String, @Nullable Object> members = Json.members(of);
    members.keySet().removeAll(List.of(names));
    return members;
  }

  private static Map<String, @Nullable Object> site(Digest.Site site) {
    Map<String, @Nullable Object> members = placed(site);
    if (site.margins() == null) {
      members.remove("margins");
    }
    return members;
  }

  private static Map<String, @Nullable Object> filled(Digest.Filled filled) {
    Map<String, @Nullable Object> members = placed(filled);
    members.remove("margin");
    members.remove("lostMargin");
    Map<String, @Nullable Object> margins = new LinkedHashMap<>();
    margins.put("bytes", filled.margin());
    margins.put("lostBytes", filled.lostMargin());
    members.put("margins", margins);
    return members;
  }

  private static Map<String, @Nullable Object> bufferPool(Digest.BufferPool pool) {
    Map<String, @Nullable Object> members = Json.members(pool);
    members.put("chunks", known(pool.chunks()));
    members.put("used", known(pool.used()));
    return members;
  }

  private static @Nullable Long known(long figure) {
    return figure < 0 ? null : figure;
  }

  /** The places are among the sites. */
  private static @Nullable Map<String, @Nullable Object> callers(@Nullable NativeCallers callers) {
    if (callers == null) {
      return null;
    }
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    members.put("problem", callers.problem());
    if (callers.isKnown()) {
      members.put("interval", callers.interval());
      members.put("ended", callers.ended());
      members.put("unseen", callers.unseen());
      members.put("bytes", callers.bytes());
      members.put("margin", callers.margin());
      members.put("jvm", callers.jvm());
      members.put("counted", callers.counted());
    }
    return members;
  }

  private static Map<String, @Nullable Object> finding(Finding finding, Digest digest) {
    Integer index = finding.site();
    Digest.Site site = index == null ? null : digest.sites().get(index);
    CallSite at = site == null ? finding.at() : site.at();
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    members.put("severity", finding.severity());
    members.put("title", finding.title());
    members.put("text", finding.text());
    members.put("kind", finding.kind());
    members.put("site", index);
    if (finding.at().isKnown()) {
      members.put("frames", finding.at().frames());
      members.put("own", finding.at().ownAt());
    }
    members.put("count", finding.count());
    members.put("bytes", finding.bytes());
    members.put("share", finding.share() == 0 ? null : finding.share());
    members.put("where", at.isKnown() ? at.own() : null);
    members.put("next", finding.next());
    Map<String, @Nullable Object> confidence = new LinkedHashMap<>();
    confidence.put("bytes", finding.confidence());
    // Of a place that is no site only the frames are known.
    confidence.put(
        "where", !at.isKnown() ? "none" : site != null && site.exact() ? "counted" : "sampled");
    members.put("confidence", confidence);
    if (!finding.leftOut().isEmpty()) {
      members.put("leftOut", Json.each(finding.leftOut(), known -> finding(known, digest)));
    }
    return members;
  }

  private static Map<String, @Nullable Object> series(Series series) {
    Map<String, @Nullable Object> kinds = new LinkedHashMap<>();
    series.kinds().forEach(kind -> kinds.put(kind.kind(), kind.bytes()));
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    members.put("time", series.time());
    members.put("resident", series.resident());
    members.put("heapCommitted", series.heapCommitted());
    members.put("heapUsed", series.heapUsed());
    members.put("heapAfterCollection", series.heapAfter());
    members.put("kinds", kinds);
    members.put("handlesOpen", series.handlesOpen());
    members.put(
        "gc",
        Json.each(series.gc(), gc -> gc.count() > 1 ? Json.members(gc) : without(gc, "count")));
    return members;
  }
}
