package dev.offcut.cli.export;

import dev.offcut.cli.digest.Digest;
import dev.offcut.cli.report.DigestJson;
import dev.offcut.cli.source.Failure;
import java.nio.charset.StandardCharsets;

/** What a digest can be exported to. */
public enum Format {
  /** {@code offcut.report/1}. */
  json,
  /** Counts by kind, type and place, a row each. */
  csv,
  /** Bytes held by stack, a line each, as flame graphs are made of. */
  collapsed,
  /** A gzipped profile, as of Go's pprof. */
  pprof,
  /** Nothing yet: see {@link #bytes}. */
  parquet;

  /** The content of a file of it. */
  public byte[] bytes(Digest digest) throws Failure {
    return switch (this) {
      case json -> (DigestJson.of(digest) + "\n").getBytes(StandardCharsets.UTF_8);
      case csv -> Csv.of(digest).getBytes(StandardCharsets.UTF_8);
      case collapsed -> Collapsed.of(digest).getBytes(StandardCharsets.UTF_8);
      case pprof -> Pprof.of(digest);
      case parquet ->
          throw Failure.other(
              "parquet needs a module with DuckDB, which is not part of this build; export csv, and"
                  + " DuckDB makes it: COPY (FROM 'x.csv') TO 'x.parquet'");
    };
  }
}
