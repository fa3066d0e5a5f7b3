import java.nio.file.Files;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksIterator;

// library: RocksDB
// counts: org.rocksdb.RocksIterator opened=20 closed=12 lost=8
// counts: org.rocksdb.Options opened=2 closed=1 lost=1
// One more than the program forgets: RocksDB.close() leaves one (facebook/rocksdb #15036).
// counts: org.rocksdb.ReadOptions lost=6
public class RocksDb {
  public static void main(String[] args) throws Exception {
    String folder = Files.createTempDirectory("rules").toString();
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB db = RocksDB.open(options, folder)) {
      db.put("a".getBytes(), "b".getBytes());
      for (int i = 0; i < 20; i++) {
        iterate(db, i < 12);
      }
      for (int i = 0; i < 5; i++) {
        new ReadOptions().setFillCache(false);
      }
      forget();
    }
    RocksDB.destroyDB(folder, new Kept().options);
  }

  static void iterate(RocksDB db, boolean close) {
    RocksIterator all = db.newIterator();
    all.seekToFirst();
    if (close) {
      all.close();
      all.close();
    }
  }

  static void forget() {
    new Options();
  }

  /** Of a class of the program's below one of the library. */
  static class Kept {
    final Mine options = new Mine();
  }

  static class Mine extends Options {}
}
