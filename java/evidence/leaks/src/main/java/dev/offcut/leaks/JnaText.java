package dev.offcut.leaks;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.Pointer;

/** A native function returns memory that its caller has to free; the text is copied from it. */
public final class JnaText {
  private static final int RESULTS = 10_000;

  /** The functions of SQLite that this needs. */
  public interface Sqlite extends Library {
    /** Has to be freed. */
    Pointer sqlite3_mprintf(String format, Object... args);

    void sqlite3_free(Pointer text);
  }

  private static final Sqlite SQLITE = Native.load("libsqlite3.so.0", Sqlite.class);

  private JnaText() {}

  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    String text = "x".repeat(10_000);
    Observer.begin();
    long sum = 0;
    for (int i = 0; i < RESULTS; i++) {
      sum += get(text, fixed);
    }
    Observer.end();
    System.out.println("sum " + sum);
  }

  private static int get(String text, boolean fixed) {
    Pointer result = SQLITE.sqlite3_mprintf("%s", text); // the leak
    int length = result.getString(0).length();
    if (fixed) {
      SQLITE.sqlite3_free(result);
    }
    return length;
  }
}
