package dev.offcut.command.show;

import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Kinds;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a kind, a place, a type of handles, or a place that forgot some: a line of a
 * table. What such a line does not have is null.
 *
 * @param row what the line is of: {@code kind}, {@code site}, {@code filled}, {@code handles} or
 *     {@code leak}
 * @param name the kind, or the type of the handles
 * @param bytes of the open ones
 * @param exact whether the figures are counts; otherwise they are estimates
 * @param frames innermost first; empty if the line is not of a place
 */
public record Row(
    String row,
    String name,
    @Nullable Long opened,
    @Nullable Long closed,
    @Nullable Long collected,
    @Nullable Long lost,
    @Nullable Long forgotten,
    @Nullable Long open,
    @Nullable Long bytes,
    @Nullable Long lostBytes,
    boolean exact,
    List<String> frames) {

  static List<Row> of(Digest digest) {
    return Stream.of(
            digest.kinds().stream().map(Row::of),
            digest.sites().stream().map(Row::of),
            digest.filled().stream().map(Row::of),
            digest.handles().stream().map(Row::of),
            digest.handleLeaks().stream().map(Row::of))
        .flatMap(lines -> lines)
        .toList();
  }

  private static Row of(Digest.Kind kind) {
    return new Row(
        "kind",
        kind.kind(),
        kind.opened(),
        kind.closed(),
        kind.collected(),
        kind.lost(),
        null,
        kind.open(),
        size(kind.kind(), kind.bytes()),
        size(kind.kind(), kind.lostBytes()),
        !Kinds.isEstimated(kind.kind()),
        List.of());
  }

  private static Row of(Digest.Site site) {
    return new Row(
        "site",
        site.kind(),
        site.opened(),
        site.closed(),
        site.collected(),
        site.lost(),
        null,
        site.open(),
        size(site.kind(), site.bytes()),
        size(site.kind(), site.lostBytes()),
        site.exact(),
        site.frames());
  }

  private static Row of(Digest.Filled filled) {
    return new Row(
        "filled",
        filled.kind(),
        null,
        null,
        null,
        null,
        null,
        null,
        filled.bytes(),
        filled.lostBytes(),
        false,
        filled.frames());
  }

  /** Bytes of a class that a rule names are not known. */
  private static @Nullable Long size(String kind, long bytes) {
    return Kinds.isCloseable(kind) ? null : bytes;
  }

  private static Row of(Digest.Handles handles) {
    return new Row(
        "handles",
        handles.type(),
        handles.opened(),
        handles.closed(),
        null,
        null,
        handles.forgotten(),
        handles.open(),
        null,
        null,
        true,
        List.of());
  }

  private static Row of(Digest.HandleLeak leak) {
    return new Row(
        "leak",
        leak.type(),
        null,
        null,
        null,
        null,
        leak.count(),
        null,
        null,
        null,
        true,
        leak.frames());
  }
}
