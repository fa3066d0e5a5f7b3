package dev.offcut.cli.export;

import dev.offcut.cli.digest.Digest;
import dev.offcut.cli.report.DigestJson;
import dev.offcut.cli.source.Failure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/** What a digest can be exported to. */
public enum Format {
  /** {@code offcut.report/2}. */
  json,
  /** Counts by kind, type and place, a row each. */
  csv,
  /** Bytes held by stack, a line each, as flame graphs are made of. */
  collapsed,
  /** A gzipped profile, as of Go's pprof. */
  pprof,
  /** The rows of csv with their types; by a {@link ParquetWriter}. */
  parquet;

  /** The content of a file of it. */
  public byte[] bytes(Digest digest) throws Failure {
    return switch (this) {
      case json -> (DigestJson.of(digest) + "\n").getBytes(StandardCharsets.UTF_8);
      case csv -> Csv.of(Row.of(digest)).getBytes(StandardCharsets.UTF_8);
      case collapsed -> Collapsed.of(digest).getBytes(StandardCharsets.UTF_8);
      case pprof -> Pprof.of(digest);
      case parquet -> parquet(Row.of(digest));
    };
  }

  private static byte[] parquet(List<Row> rows) throws Failure {
    ParquetWriter writer =
        ServiceLoader.load(ParquetWriter.class)
            .findFirst()
            .orElseThrow(
                () ->
                    Failure.other(
                        "offcut-fleet.jar, which writes parquet, is not on the class path;"
                            + " use `./offcut export` in a clone, which builds it, or export csv"));
    try {
      return writer.bytes(rows);
    } catch (IOException e) {
      throw Failure.other("cannot make parquet: " + e.getMessage());
    }
  }

  /**
   * Bytes that places hold, lost ones included: the frames of a stack from the outermost on, the
   * kind before them, a blank, the bytes.
   */
  static final class Collapsed {
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
}
