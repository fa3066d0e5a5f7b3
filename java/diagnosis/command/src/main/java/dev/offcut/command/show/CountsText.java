package dev.offcut.command.show;

import static dev.offcut.command.read.Figures.bytes;
import static dev.offcut.command.read.Figures.count;

import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Kinds;
import dev.offcut.command.read.NativeCallers;

/** The tables of a digest: kinds, handles, pools. */
final class CountsText {
  private static final String UNKNOWN = "–";

  private CountsText() {}

  static String kinds(Digest digest) {
    if (digest.kinds().isEmpty()) {
      return "";
    }
    Table table =
        new Table()
            .add(
                "",
                "opened",
                "closed",
                "collected",
                "lost",
                "open",
                "bytes",
                "at peak",
                "never freed");
    for (Digest.Kind kind : digest.kinds()) {
      table.add(
          kind.kind(),
          count(kind.opened()),
          count(kind.closed()),
          count(kind.collected()),
          count(kind.lost()),
          count(kind.open()),
          size(kind, kind.bytes()),
          size(kind, kind.peakBytes()),
          size(kind, kind.lostBytes()));
    }
    Text text = new Text(false).table(table);
    NativeCallers callers = digest.callers();
    if (callers != null && callers.isKnown()) {
      text.wrapped(
          "  ",
          """
          %s is estimated from one sample per %s: %s are open. It does not include the malloc \
          memory of the JVM (%s) and of the kinds above (%s)."""
              .formatted(
                  NativeCallers.KIND,
                  bytes(callers.interval()),
                  bytes(callers.bytes(), callers.margin(), Long.MAX_VALUE),
                  bytes(callers.jvm()),
                  bytes(callers.counted())));
    }
    return text.line().toString();
  }

  /** Bytes of a class that a rule names are not known. */
  private static String size(Digest.Kind kind, long bytes) {
    return Kinds.isCloseable(kind.kind()) ? UNKNOWN : bytes(bytes);
  }

  static String handles(Digest digest) {
    if (digest.handles().isEmpty()) {
      return "";
    }
    Table table = new Table().add("handles", "opened", "closed", "forgotten", "open");
    for (Digest.Handles one : digest.handles()) {
      table.add(
          one.type(),
          count(one.opened()),
          count(one.closed()),
          count(one.forgotten()),
          count(one.open()));
    }
    return new Text(false).table(table).line().toString();
  }

  static String pools(Digest digest) {
    return ownPools(digest) + bufferPools(digest);
  }

  private static String bufferPools(Digest digest) {
    if (digest.bufferPools().isEmpty()) {
      return "";
    }
    Table table = new Table().add("allocators of buffers", "number", "chunks", "keep", "in use");
    for (Digest.BufferPool pool : digest.bufferPools()) {
      table.add(
          pool.type(),
          count(pool.allocators()),
          pool.chunks() < 0 ? UNKNOWN : count(pool.chunks()),
          bytes(pool.kept()),
          pool.used() < 0 ? UNKNOWN : bytes(pool.used()));
    }
    return new Text(false).table(table).line().toString();
  }

  private static String ownPools(Digest digest) {
    if (digest.pools().isEmpty()) {
      return "";
    }
    Table table =
        new Table().add("pools and owners", "limit", "reserved", "committed", "handed out", "used");
    for (Digest.Pool pool : digest.pools()) {
      table.add(
          pool.pool(),
          pool.limit() == Long.MAX_VALUE ? UNKNOWN : bytes(pool.limit()),
          bytes(pool.reserved()),
          bytes(pool.committed()),
          bytes(pool.handedOut()),
          bytes(pool.used()));
      for (Digest.Owner owner : pool.owners()) {
        table.add(
            "  " + owner.owner(),
            "",
            "",
            bytes(owner.committed()),
            bytes(owner.handedOut()),
            bytes(owner.used()));
      }
    }
    return new Text(false).table(table).line().toString();
  }
}
