package dev.offcut.leaks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Random;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** A cache on RocksDB that looks up with an iterator and does not close it. */
public final class RocksIterators {
  private static final int KEYS = 20_000;
  private static final int LOOKUPS = 10_000;

  private RocksIterators() {}

  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    try (Scratch scratch = Scratch.create();
        Options options = new Options().setCreateIfMissing(true);
        RocksDB db = RocksDB.open(options, scratch.path().toString())) {
      fill(db);
      Observer.begin();
      for (int i = 0; i < LOOKUPS; i++) {
        if (fixed) {
          closing(db, i);
        } else {
          leaking(db, i);
        }
      }
      Observer.end();
    }
  }

  private static void fill(RocksDB db) throws RocksDBException {
    byte[] value = new byte[1_000];
    new Random(1).nextBytes(value);
    for (int i = 0; i < KEYS; i++) {
      db.put(key(i), value);
    }
  }

  private static byte[] key(int i) {
    return ("key" + i).getBytes(UTF_8);
  }

  private static void leaking(RocksDB db, int i) {
    RocksIterator entries = db.newIterator(); // the leak
    entries.seek(key(i));
  }

  private static void closing(RocksDB db, int i) {
    try (RocksIterator entries = db.newIterator()) {
      entries.seek(key(i));
    }
  }
}
