package dev.offcut.leaks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.Cursor;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.Txn;

/** A lookup that closes its transaction, but not the cursor on it. */
public final class LmdbCursors {
  private static final int LOOKUPS = 100_000;

  /** Of a server, which closes it when it is stopped. */
  @SuppressWarnings("UnusedVariable") // it keeps the environment
  private static @Nullable Env<ByteBuffer> served;

  private LmdbCursors() {}

  /** With the second argument {@code server} the environment is not closed. */
  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    try (Scratch scratch = Scratch.create()) {
      Env<ByteBuffer> env =
          Env.create().setMapSize(10 << 20).setMaxDbs(1).open(scratch.path().toFile());
      Dbi<ByteBuffer> orders = env.openDbi("orders", DbiFlags.MDB_CREATE, DbiFlags.MDB_DUPSORT);
      orders.put(buffer("key"), buffer("value"));
      Observer.begin();
      long sum = 0;
      for (int i = 0; i < LOOKUPS; i++) {
        sum += first(env, orders, fixed);
      }
      Observer.end();
      System.out.println("sum " + sum);
      if (args.length > 1) {
        served = env;
      } else {
        env.close();
      }
    }
  }

  private static ByteBuffer buffer(String text) {
    return ByteBuffer.allocateDirect(16).put(text.getBytes(UTF_8)).flip();
  }

  private static int first(Env<ByteBuffer> env, Dbi<ByteBuffer> orders, boolean fixed) {
    try (Txn<ByteBuffer> transaction = env.txnRead()) {
      Cursor<ByteBuffer> cursor = orders.openCursor(transaction); // the leak
      int bytes = cursor.first() ? cursor.val().remaining() : 0;
      if (fixed) {
        cursor.close();
      }
      return bytes;
    }
  }
}
