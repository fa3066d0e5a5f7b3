package dev.offcut.leaks;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.FlushOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** A node that opens its storage anew, each time with a block cache of its own. */
public final class RocksCaches {
  private static final int OPENINGS = 30;
  private static final int KEYS = 2_000;
  private static final long CACHE_BYTES = 32 << 20;

  private RocksCaches() {}

  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    RocksDB.loadLibrary();
    Observer.begin();
    for (int i = 0; i < OPENINGS; i++) {
      try (Scratch scratch = Scratch.create()) {
        LRUCache cache = new LRUCache(CACHE_BYTES); // the leak
        use(scratch.path().toString(), cache);
        if (fixed) {
          cache.close();
        }
      }
    }
    Observer.end();
  }

  private static void use(String path, LRUCache cache) throws RocksDBException {
    BlockBasedTableConfig table = new BlockBasedTableConfig().setBlockCache(cache);
    try (Options options = new Options().setCreateIfMissing(true).setTableFormatConfig(table);
        FlushOptions flush = new FlushOptions();
        RocksDB db = RocksDB.open(options, path)) {
      for (int i = 0; i < KEYS; i++) {
        db.put(("key" + i).getBytes(UTF_8), new byte[2_000]);
      }
      db.flush(flush);
      for (int i = 0; i < KEYS; i++) {
        db.get(("key" + i).getBytes(UTF_8));
      }
    }
  }
}
