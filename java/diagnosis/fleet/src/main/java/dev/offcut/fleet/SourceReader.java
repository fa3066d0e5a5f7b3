package dev.offcut.fleet;

import dev.offcut.command.judge.Finding;
import dev.offcut.command.judge.Sentences;
import dev.offcut.command.read.CallSite;
import dev.offcut.command.read.Digest;
import dev.offcut.command.read.DigestBuilder;
import dev.offcut.command.read.Failure;
import dev.offcut.command.read.Kinds;
import dev.offcut.command.read.Sources;
import dev.offcut.command.show.Redaction;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes {@link Rows} of a {@link Source}: the same figures as its report has. */
public final class SourceReader {
  /** In place of a severity: what the process's report says it could not see. */
  private static final String LIMIT = "LIMIT";

  private static final EnumSet<Redaction> REDACTED = EnumSet.of(Redaction.args, Redaction.paths);

  private final Labels labels;
  private final String hash;
  private final String process;
  private final Digest digest;

  private final Map<String, Rows.Stack> stacks = new LinkedHashMap<>();

  private SourceReader(Labels labels, String hash, String process, Digest digest) {
    this.labels = labels;
    this.hash = hash;
    this.process = process;
    this.digest = digest;
  }

  /**
   * Reads all of it.
   *
   * @param hash the source's own
   * @param nowMs when it is added, in ms since 1970
   */
  public static Rows read(Source source, Labels labels, String hash, long nowMs) throws Failure {
    History history = new History();
    Digest known = Sources.read(source.files(), new DigestBuilder(history)).digest();
    if (history.isEmpty() || known.target().pid() < 0) {
      throw Failure.unreadable(
          source.name() + " names no process: neither the agent nor Flight Recorder was in it");
    }
    Digest digest = labels.withArguments() ? known : Redaction.apply(known, REDACTED);
    String process =
        new Hash()
            .add(labels.host())
            .add(String.valueOf(digest.target().pid()))
            .add(String.valueOf(history.startMs()))
            .digits(Hash.SHORT_DIGITS);
    return new SourceReader(labels, hash, process, digest).rows(source, history, nowMs);
  }

  private Rows rows(Source source, History history, long nowMs) {
    settle(history);
    List<Rows.Site> sites = sites();
    List<Rows.Finding> findings = findings();
    Digest.Target target = digest.target();
    return new Rows(
        new Rows.Process(
            hash,
            process,
            labels.service(),
            labels.host(),
            target.pid(),
            history.startMs(),
            history.untilMs(),
            labels.version(),
            target.main(),
            String.join(" ", target.command()),
            target.jdk(),
            target.level(),
            target.sampleEvery(),
            digest.complete(),
            end(digest),
            origin(source),
            source.name(),
            nowMs),
        history.windows(),
        sites,
        List.copyOf(stacks.values()),
        findings);
  }

  private static String origin(Source source) {
    boolean recorded = source.files().stream().anyMatch(file -> file.toString().endsWith(".jfr"));
    boolean archived = source.files().stream().anyMatch(file -> !file.toString().endsWith(".jfr"));
    return archived && recorded ? "run and recording" : archived ? "run" : "recording";
  }

  /** Makes the sums those of the report. */
  private void settle(History history) {
    List<String> known = digest.kinds().stream().map(Digest.Kind::kind).toList();
    history.kinds().stream().filter(kind -> !known.contains(kind)).forEach(history::dropKind);
    for (Digest.Kind kind : digest.kinds()) {
      String what = what(kind.kind());
      history.end(
          what,
          kind.kind(),
          kind.opened(),
          kind.closed(),
          kind.collected(),
          kind.lost(),
          0,
          kind.openedBytes(),
          kind.lostBytes());
      if (what.equals(History.NATIVE)) {
        history.holdsAtEnd(what, kind.kind(), kind.open(), kind.bytes() + kind.lostBytes());
      }
    }
    for (Digest.Handles type : digest.handles()) {
      history.end(
          History.TYPE, type.type(), type.opened(), type.closed(), 0, 0, type.forgotten(), 0, 0);
    }
  }

  private static String what(String kind) {
    return Kinds.isEstimated(kind) ? History.NATIVE : History.KIND;
  }

  private List<Rows.Site> sites() {
    List<Rows.Site> all = new ArrayList<>();
    for (Digest.Site site : digest.sites()) {
      Rows.Stack stack = stack(site.at());
      boolean sized = !Kinds.isCloseable(site.kind());
      Digest.Margins margins = site.margins();
      all.add(
          new Rows.Site(
              what(site.kind()),
              site.kind(),
              stack.stack(),
              stack.line(),
              site.opened(),
              site.closed(),
              site.collected(),
              site.lost(),
              0,
              site.open(),
              sized ? site.bytes() : null,
              sized ? site.lostBytes() : null,
              site.samples(),
              site.exact(),
              margins == null ? null : margins.open(),
              margins == null || !sized ? null : margins.bytes(),
              margins == null ? null : margins.lost(),
              margins == null || !sized ? null : margins.lostBytes()));
    }
    for (Digest.HandleLeak leak : digest.handleLeaks()) {
      Rows.Stack stack = stack(leak.at());
      all.add(
          new Rows.Site(
              History.TYPE,
              leak.type(),
              stack.stack(),
              stack.line(),
              0,
              0,
              0,
              0,
              leak.count(),
              0,
              null,
              null,
              leak.count(),
              true,
              null,
              null,
              null,
              null));
    }
    return all;
  }

  private Rows.Stack stack(CallSite at) {
    String text = String.join("\n", at.frames());
    return stacks.computeIfAbsent(
        text,
        made ->
            new Rows.Stack(
                new Hash().add(text).digits(Hash.SHORT_DIGITS),
                at.isKnown() ? at.own() : "",
                text));
  }

  private List<Rows.Finding> findings() {
    List<Rows.Finding> all = new ArrayList<>();
    for (Finding finding : digest.findings()) {
      Rows.@Nullable Stack stack = place(finding);
      all.add(
          new Rows.Finding(
              all.size(),
              finding.severity().name(),
              finding.kind(),
              stack == null ? null : stack.line(),
              stack == null ? null : stack.stack(),
              finding.title(),
              finding.text(),
              finding.bytes(),
              finding.confidence().name()));
    }
    for (String limit : digest.limits()) {
      all.add(
          new Rows.Finding(
              all.size(), LIMIT, null, null, null, limit, "", 0, Finding.Confidence.NONE.name()));
    }
    return all;
  }

  private Rows.@Nullable Stack place(Finding finding) {
    Integer site = finding.site();
    CallSite at = site == null ? finding.at() : digest.sites().get(site).at();
    return at.isKnown() ? stack(at) : null;
  }

  /** How the program ended, as far as is known, in a few words. */
  private static String end(Digest digest) {
    if (!digest.hasStarted()) {
      return "did not start";
    }
    for (Finding finding : digest.findings()) {
      if (finding.what() == Finding.What.ENDED) {
        return Sentences.exit(finding);
      }
    }
    return digest.complete() ? "by itself" : "killed, or cut off";
  }
}
