package dev.offcut.cli.export;

import dev.offcut.cli.digest.Digest;
import java.util.ArrayList;
import java.util.List;

/**
 * Bytes that places hold, lost ones included: the frames of a stack from the outermost on, the kind
 * before them, a blank, the bytes.
 */
final class Collapsed {
  private Collapsed() {}

  static String of(Digest digest) {
    StringBuilder text = new StringBuilder();
    for (Digest.Site site : digest.sites()) {
      long bytes = site.bytes() + site.lostBytes();
      if (bytes > 0) {
        List<String> frames = new ArrayList<>(site.frames().reversed());
        frames.addFirst(site.kind());
        text.append(String.join(";", frames)).append(' ').append(bytes).append('\n');
      }
    }
    return text.toString();
  }
}
