package dev.offcut.command.show;

import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Figures;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a digest can be exported to. */
public enum Format {
  json,
  /** Bytes held by stack, a line each, as flame graphs are made of. */
  collapsed,
  /** A gzipped profile, as of Go's pprof. */
  pprof;

  public byte[] bytes(Digest digest) {
    return switch (this) {
      case json -> (DigestJson.of(digest) + "\n").getBytes(StandardCharsets.UTF_8);
      case collapsed -> Collapsed.of(digest).getBytes(StandardCharsets.UTF_8);
      case pprof -> Pprof.of(digest);
    };
  }

  /** What of a digest the format has no place for, and how to get it; null if that is nothing. */
  public @Nullable String leftOut(Digest digest) {
    if (this != collapsed) {
      return null;
    }
    List<Digest.Site> sites =
        digest.sites().stream()
            .filter(site -> Collapsed.bytes(site) <= 0 && site.open() + site.lost() > 0)
            .toList();
    long objects = sites.stream().mapToLong(site -> site.open() + site.lost()).sum();
    long handles = digest.handleLeaks().stream().mapToLong(Digest.HandleLeak::count).sum();
    if (objects + handles == 0) {
      return null;
    }
    int stacks = sites.size() + digest.handleLeaks().size();
    return "collapsed has bytes alone. It leaves out "
        + Figures.count(stacks, "stack")
        + " with "
        + Figures.count(objects + handles, "object")
        + " that are open or were leaked and whose bytes are not known; --to json has them";
  }

  /**
   * Bytes that places hold, lost ones included: the frames of a stack from the outermost on, the
   * kind before them, a blank, the bytes.
   */
  static final class Collapsed {
    private Collapsed() {}

    static long bytes(Digest.Site site) {
      return site.bytes() + site.lostBytes();
    }

    static String of(Digest digest) {
      StringBuilder text = new StringBuilder();
      for (Digest.Site site : digest.sites()) {
        for (Digest.Path path : site.ways()) {
          long bytes = path.bytes() + path.lostBytes();
          if (bytes > 0) {
            List<String> frames = new ArrayList<>(path.frames().reversed());
            frames.addFirst(site.kind());
            text.append(String.join(";", frames)).append(' ').append(bytes).append('\n');
          }
        }
      }
      return text.toString();
    }
  }
}
