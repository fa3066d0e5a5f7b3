package dev.offcut.leaks;

import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Logger;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;

/** A table service that gives each of its stores a logger, and closes the store alone. */
public final class RocksLoggers {
  private static final int STORES = 100;

  private RocksLoggers() {}

  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    RocksDB.loadLibrary();
    try (Scratch scratch = Scratch.create()) {
      Observer.begin();
      for (int i = 0; i < STORES; i++) {
        use(scratch.path().resolve("store").toString(), fixed);
      }
      Observer.end();
    }
  }

  private static void use(String path, boolean fixed) throws Exception {
    DBOptions dbOptions = new DBOptions().setCreateIfMissing(true); // the leak
    Logger logger = new Silent(dbOptions); // its callback keeps it reachable from native code
    dbOptions.setLogger(logger);
    ColumnFamilyOptions family = new ColumnFamilyOptions(); // the leak
    Options options = new Options(dbOptions, family); // the leak
    RocksDB.open(options, path).close();
    if (fixed) {
      options.close();
      family.close();
      logger.close();
      dbOptions.close();
    }
  }

  /** What a store keeps with its logger. */
  private static final class Silent extends Logger {
    @SuppressWarnings("unused") // it is what is lost with the logger
    private final byte[] heap = new byte[100_000];

    Silent(DBOptions options) {
      super(options);
    }

    @Override
    protected void log(InfoLogLevel level, String message) {}
  }
}
