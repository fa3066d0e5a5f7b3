package dev.offcut.command.show;

import java.io.IOException;
import java.util.List;

/**
 * Makes Parquet of rows. It is a service, since what writes Parquet is many times larger than the
 * command: who does not ask for it does not have it.
 */
public interface ParquetWriter {
  /** The file: a column for each component of {@link Row}, with its type. */
  byte[] bytes(List<Row> rows) throws IOException;
}
