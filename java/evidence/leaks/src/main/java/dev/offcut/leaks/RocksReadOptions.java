package dev.offcut.leaks;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** A stream processor that opens a store for each segment and closes it, as it should. */
public final class RocksReadOptions {
  private static final int SEGMENTS = 60;

  private RocksReadOptions() {}

  public static void main(String[] args) throws Exception {
    try (Scratch scratch = Scratch.create()) {
      Observer.begin();
      for (int i = 0; i < SEGMENTS; i++) {
        use(scratch.path().resolve("segment").toString());
      }
      Observer.end();
    }
  }

  private static void use(String path) throws RocksDBException {
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB db = RocksDB.open(options, path)) { // the leak
      db.put("key".getBytes(UTF_8), "value".getBytes(UTF_8));
    }
  }
}
