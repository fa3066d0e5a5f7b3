package dev.offcut.cli.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.offcut.cli.digest.Digest;
import dev.offcut.cli.digest.Holders;
import dev.offcut.cli.digest.Kinds;
import dev.offcut.cli.digest.KnownLibraries;
import dev.offcut.cli.digest.NativeCallers;
import dev.offcut.cli.source.HoldersFile;
import dev.offcut.cli.source.Versions;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A digest as one JSON object, {@code offcut.report/2}: members are added, never changed. {@code
 * spec/report.schema.json} describes it; {@code spec/report-1.schema.json} what the page reads
 * besides.
 */
public final class DigestJson {
  /** What it is. */
  public static final String SCHEMA = "offcut.report/2";

  private final JsonGenerator json;

  private DigestJson(JsonGenerator json) {
    this.json = json;
  }

  /** All of it, in one line. */
  public static String of(Digest digest) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      new DigestJson(json).all(digest);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a string takes everything
    }
    return text.toString();
  }

  /** What writes the elements of an array. */
  private interface Element<T> {
    void write(T value) throws IOException;
  }

  private <T> void array(String name, List<T> values, Element<T> element) throws IOException {
    json.writeArrayFieldStart(name);
    for (T value : values) {
      element.write(value);
    }
    json.writeEndArray();
  }

  private <T> void objects(String name, List<T> values, Element<T> members) throws IOException {
    array(
        name,
        values,
        value -> {
          json.writeStartObject();
          members.write(value);
          json.writeEndObject();
        });
  }

  private void strings(String name, List<String> values) throws IOException {
    array(name, values, json::writeString);
  }

  private void numbers(String name, List<@Nullable Long> values) throws IOException {
    json.writeArrayFieldStart(name);
    for (Long value : values) {
      if (value == null) {
        json.writeNull();
      } else {
        json.writeNumber(value);
      }
    }
    json.writeEndArray();
  }

  private void all(Digest digest) throws IOException {
    json.writeStartObject();
    json.writeStringField("schema", SCHEMA);
    json.writeStringField("tool", Versions.own());
    json.writeBooleanField("complete", digest.complete());
    target(digest.target());
    strings("notes", digest.notes());
    strings("limits", digest.limits());
    strings("watched", digest.watched());
    strings("unwatched", digest.unwatched());
    objects("kinds", digest.kinds(), kind -> kind(kind, digest));
    objects("closeables", digest.closeables(), this::closeable);
    objects("watchedClasses", digest.watchedClasses(), this::watchedClass);
    objects("sites", digest.sites(), this::site);
    objects("filled", digest.filled(), this::filled);
    objects("handles", digest.handles(), this::handles);
    objects("handleLeaks", digest.handleLeaks(), this::handleLeak);
    objects("pools", digest.pools(), this::pool);
    objects("bufferPools", digest.bufferPools(), this::bufferPool);
    objects("forcedCollections", digest.forcedCollections(), this::forced);
    objects("finalizers", digest.finalizers(), this::finalizers);
    objects("saved", digest.saved(), this::saved);
    loaders(digest.loaders());
    callers(digest.callers());
    holders(digest.holders());
    memory(digest.memory());
    account(digest.series().account());
    objects("findings", digest.findings(), finding -> finding(finding, digest));
    if (!digest.maps().isEmpty()) {
      objects("map", digest.maps(), this::map);
    }
    series(digest.series());
    json.writeEndObject();
  }

  private void target(Digest.Target target) throws IOException {
    json.writeObjectFieldStart("target");
    json.writeNumberField("pid", target.pid());
    json.writeStringField("main", target.main());
    strings("command", target.command());
    json.writeStringField("jdk", target.jdk());
    json.writeStringField("started", target.started());
    json.writeNumberField("seconds", target.seconds());
    json.writeStringField("level", target.level());
    json.writeNumberField("sampleEvery", target.sampleEvery());
    json.writeEndObject();
  }

  private void kind(Digest.Kind kind, Digest digest) throws IOException {
    json.writeStringField("kind", kind.kind());
    json.writeNumberField("opened", kind.opened());
    json.writeNumberField("closed", kind.closed());
    json.writeNumberField("collected", kind.collected());
    json.writeNumberField("lost", kind.lost());
    json.writeNumberField("open", kind.open());
    json.writeNumberField("bytes", kind.bytes());
    json.writeNumberField("peakBytes", kind.peakBytes());
    json.writeNumberField("openedBytes", kind.openedBytes());
    json.writeNumberField("lostBytes", kind.lostBytes());
    if (Kinds.isEstimated(kind.kind())) {
      json.writeBooleanField("estimated", true);
    }
    for (Digest.Closeable rule : digest.closeables()) {
      if (rule.kind().equals(kind.kind())) {
        json.writeStringField("freedBy", rule.freedBy());
      }
    }
  }

  private void closeable(Digest.Closeable rule) throws IOException {
    json.writeStringField("kind", rule.kind());
    json.writeStringField("library", rule.library());
    json.writeStringField("called", rule.called());
    json.writeStringField("freedBy", rule.freedBy());
    json.writeStringField("holds", rule.holds());
    json.writeStringField("advice", rule.advice());
  }

  private void watchedClass(Digest.WatchedClass watched) throws IOException {
    json.writeStringField("rule", watched.rule());
    json.writeStringField("class", watched.type());
    json.writeStringField("state", watched.state());
    json.writeStringField("detail", watched.detail());
    json.writeStringField("from", watched.from());
  }

  private void filled(Digest.Filled filled) throws IOException {
    json.writeStringField("kind", filled.kind());
    frames(filled.frames());
    json.writeNumberField("bytes", filled.bytes());
    json.writeNumberField("lostBytes", filled.lostBytes());
    json.writeNumberField("samples", filled.samples());
    json.writeObjectFieldStart("margins");
    json.writeNumberField("bytes", filled.margin());
    json.writeNumberField("lostBytes", filled.lostMargin());
    json.writeEndObject();
  }

  private void site(Digest.Site site) throws IOException {
    json.writeStringField("kind", site.kind());
    frames(site.frames());
    json.writeNumberField("opened", site.opened());
    json.writeNumberField("closed", site.closed());
    json.writeNumberField("collected", site.collected());
    json.writeNumberField("lost", site.lost());
    json.writeNumberField("open", site.open());
    json.writeNumberField("bytes", site.bytes());
    json.writeNumberField("lostBytes", site.lostBytes());
    json.writeNumberField("samples", site.samples());
    json.writeBooleanField("exact", site.exact());
    Digest.Margins margins = site.margins();
    if (margins != null) {
      json.writeObjectFieldStart("margins");
      json.writeNumberField("open", margins.open());
      json.writeNumberField("bytes", margins.bytes());
      json.writeNumberField("lost", margins.lost());
      json.writeNumberField("lostBytes", margins.lostBytes());
      json.writeEndObject();
    }
  }

  private void handles(Digest.Handles handles) throws IOException {
    json.writeStringField("type", handles.type());
    json.writeNumberField("opened", handles.opened());
    json.writeNumberField("closed", handles.closed());
    json.writeNumberField("forgotten", handles.forgotten());
    json.writeNumberField("open", handles.open());
  }

  private void handleLeak(Digest.HandleLeak leak) throws IOException {
    json.writeStringField("type", leak.type());
    json.writeNumberField("count", leak.count());
    frames(leak.frames());
    json.writeStringField("level", leak.level());
  }

  private void pool(Digest.Pool pool) throws IOException {
    json.writeStringField("pool", pool.pool());
    json.writeNumberField("limit", pool.limit());
    json.writeNumberField("reserved", pool.reserved());
    json.writeNumberField("committed", pool.committed());
    json.writeNumberField("handedOut", pool.handedOut());
    json.writeNumberField("used", pool.used());
    objects("owners", pool.owners(), this::owner);
  }

  private void bufferPool(Digest.BufferPool pool) throws IOException {
    json.writeStringField("type", pool.type());
    json.writeNumberField("allocators", pool.allocators());
    known("chunks", pool.chunks());
    json.writeNumberField("kept", pool.kept());
    known("used", pool.used());
  }

  /** Null if it is below zero. */
  private void known(String name, long figure) throws IOException {
    if (figure < 0) {
      json.writeNullField(name);
    } else {
      json.writeNumberField(name, figure);
    }
  }

  private void owner(Digest.Owner owner) throws IOException {
    json.writeStringField("owner", owner.owner());
    json.writeNumberField("committed", owner.committed());
    json.writeNumberField("handedOut", owner.handedOut());
    json.writeNumberField("used", owner.used());
  }

  private void map(Digest.ChunkMap map) throws IOException {
    json.writeStringField("pool", map.pool());
    json.writeNumberField("cellBytes", map.cellBytes());
    strings("rows", map.rows());
  }

  private void forced(Digest.Forced forced) throws IOException {
    json.writeNumberField("count", forced.count());
    frames(forced.frames());
  }

  private void finalizers(Digest.Finalizers finalizers) throws IOException {
    json.writeStringField("type", finalizers.type());
    json.writeNumberField("registered", finalizers.registered());
    json.writeNumberField("run", finalizers.run());
  }

  private void saved(Digest.Saved saved) throws IOException {
    json.writeStringField("feature", saved.feature());
    json.writeNumberField("done", saved.done());
    json.writeNumberField("saved", saved.saved());
    json.writeStringField("unit", saved.unit());
  }

  private void loaders(Digest.@Nullable Loaders loaders) throws IOException {
    if (loaders == null) {
      json.writeNullField("loaders");
      return;
    }
    json.writeObjectFieldStart("loaders");
    json.writeNumberField("loaders", loaders.loaders());
    json.writeNumberField("committed", loaders.committed());
    json.writeNumberField("used", loaders.used());
    json.writeEndObject();
  }

  /** The places are among the sites. */
  private void callers(@Nullable NativeCallers callers) throws IOException {
    if (callers == null) {
      json.writeNullField("nativeCallers");
      return;
    }
    json.writeObjectFieldStart("nativeCallers");
    json.writeStringField("problem", callers.problem());
    if (callers.isKnown()) {
      json.writeNumberField("interval", callers.interval());
      json.writeStringField("ended", callers.ended().toString());
      json.writeBooleanField("stopped", callers.stopped());
      json.writeNumberField("missed", callers.missed());
      json.writeNumberField("bytes", callers.bytes());
      json.writeNumberField("margin", callers.margin());
      json.writeNumberField("jvm", callers.jvm());
      json.writeNumberField("profiler", callers.ofProfiler());
      json.writeNumberField("counted", callers.counted());
      json.writeNumberField("used", callers.held());
    }
    json.writeEndObject();
  }

  private void holders(@Nullable Holders holders) throws IOException {
    if (holders == null) {
      json.writeNullField("holders");
      return;
    }
    json.writeObjectFieldStart("holders");
    HoldersFile.members(json, holders);
    json.writeEndObject();
  }

  private void memory(Digest.Memory memory) throws IOException {
    json.writeObjectFieldStart("memory");
    json.writeNumberField("resident", memory.resident());
    json.writeNumberField("residentPeak", memory.residentPeak());
    if (memory.containerLimit() == null) {
      json.writeNullField("containerLimit");
    } else {
      json.writeNumberField("containerLimit", memory.containerLimit());
    }
    json.writeBooleanField("heapTouched", memory.heapTouched());
    json.writeBooleanField("accounted", memory.accounted());
    objects(
        "parts",
        memory.parts(),
        part -> {
          json.writeStringField("part", part.part());
          json.writeNumberField("bytes", part.bytes());
        });
    strings("remarks", memory.remarks());
    objects(
        "growing",
        memory.growing(),
        growth -> {
          json.writeStringField("part", growth.part());
          json.writeNumberField("bytes", growth.bytes());
          json.writeNumberField("seconds", growth.seconds());
          json.writeNumberField("rate", growth.rate());
          json.writeNumberField("least", growth.least());
          json.writeNumberField("most", growth.most());
        });
    json.writeEndObject();
  }

  private void account(Digest.@Nullable Account account) throws IOException {
    if (account == null) {
      json.writeNullField("account");
      return;
    }
    json.writeObjectFieldStart("account");
    array("time", account.time(), json::writeNumber);
    array("resident", account.resident(), json::writeNumber);
    array("threads", account.threads(), json::writeNumber);
    objects(
        "rows",
        account.rows(),
        row -> {
          json.writeStringField("part", row.part());
          array("bytes", row.bytes(), json::writeNumber);
        });
    json.writeEndObject();
  }

  private void finding(Digest.Finding finding, Digest digest) throws IOException {
    json.writeStringField("severity", finding.severity().name().toLowerCase(Locale.ROOT));
    json.writeStringField("title", finding.title());
    json.writeStringField("text", finding.text());
    json.writeStringField("kind", finding.kind());
    if (finding.site() == null) {
      json.writeNullField("site");
    } else {
      json.writeNumberField("site", finding.site());
    }
    if (!finding.frames().isEmpty()) {
      frames(finding.frames());
    }
    json.writeNumberField("bytes", finding.bytes());
    Digest.Site site = finding.site() == null ? null : digest.sites().get(finding.site());
    List<String> place = site == null ? finding.frames() : site.frames();
    json.writeStringField("where", place.isEmpty() ? null : place.get(KnownLibraries.own(place)));
    json.writeStringField("next", finding.next());
    json.writeObjectFieldStart("confidence");
    json.writeStringField("bytes", finding.confidence().name().toLowerCase(Locale.ROOT));
    json.writeStringField("where", place.isEmpty() ? "none" : confidence(site));
    json.writeEndObject();
  }

  /** Of a place that is no site only the frames are known. */
  private static String confidence(Digest.@Nullable Site site) {
    return site != null && site.exact() ? "counted" : "sampled";
  }

  /** With the index of the one to show first. */
  private void frames(List<String> frames) throws IOException {
    strings("frames", frames);
    if (!frames.isEmpty()) {
      json.writeNumberField("own", KnownLibraries.own(frames));
    }
  }

  private void series(Digest.Series series) throws IOException {
    json.writeObjectFieldStart("series");
    array("time", series.time(), json::writeNumber);
    numbers("resident", series.resident());
    numbers("heapCommitted", series.heapCommitted());
    numbers("heapUsed", series.heapUsed());
    numbers("heapAfterCollection", series.heapAfter());
    json.writeObjectFieldStart("kinds");
    for (Digest.KindSeries kind : series.kinds()) {
      numbers(kind.kind(), kind.bytes());
    }
    json.writeEndObject();
    numbers("handlesOpen", series.handlesOpen());
    objects(
        "gc",
        series.gc(),
        gc -> {
          json.writeNumberField("time", gc.time());
          json.writeNumberField("pause", gc.pause());
          json.writeStringField("cause", gc.cause());
          if (gc.count() > 1) {
            json.writeNumberField("count", gc.count());
          }
        });
    json.writeEndObject();
  }
}
