package dev.offcut.examples.sqlite;

import dev.offcut.handle.Handle;
import dev.offcut.handle.Handles;
import java.util.Arrays;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A JVM of its own that closes rows, statements and databases while the heap is full: what must
 * need no memory. More of each than the calls after which the JVM gives a method handle code of its
 * own; to be run interpreted, since compiled code may have it already.
 */
public final class FullHeapProbe {
  private static final int EACH = 256;

  /** Closes between two fillings: what they leave to the collector is less than new code takes. */
  private static final int CLOSES = 8;

  private static final int CHUNK = 1 << 10;

  private static final @Nullable Object[] FILLING = new Object[1 << 14];

  private FullHeapProbe() {}

  /** Prints one line that begins with "ok" when every call came back. */
  public static void main(String[] args) {
    Handle[] databases = open(i -> Database.inMemory());
    Database database = (Database) databases[0];
    Handle[] statements = open(i -> database.prepare("SELECT 1"));
    check("columns", 1, ((Statement) statements[0]).columnCount());
    inAFullHeap(i -> Columns.count(0)); // stands between the step that opens rows and their record
    Handle[] rows = open(i -> ((Statement) statements[i]).query());
    close(rows);
    close(statements);
    close(databases);
    inAFullHeap(i -> Sqlite.unlock(0));
    Handles.snapshot().types().forEach(type -> check(type.name() + " open", 0, type.open()));
    System.out.println("ok");
  }

  private static Handle[] open(IntFunction<Handle> opening) {
    Handle[] opened = new Handle[EACH];
    Arrays.setAll(opened, opening);
    return opened;
  }

  /** The handles stay reachable, so that closing them makes no room. */
  private static void close(Handle[] handles) {
    inAFullHeap(i -> handles[i].close());
  }

  private interface Call {
    void run(int index);
  }

  private static void inAFullHeap(Call call) {
    try {
      for (int i = 0; i < EACH; i++) {
        if (i % CLOSES == 0) {
          fill();
        }
        call.run(i);
      }
    } finally {
      Arrays.fill(FILLING, null);
    }
  }

  private static void fill() {
    try {
      for (int i = 0; i < FILLING.length; i++) {
        if (FILLING[i] == null) {
          FILLING[i] = new byte[CHUNK];
        }
      }
    } catch (OutOfMemoryError e) {
      return; // full, but for less than a chunk
    }
    throw new AssertionError("the heap is larger than the filling: use -Xmx12m");
  }

  private static void check(String what, long expected, long actual) {
    if (expected != actual) {
      throw new AssertionError(what + ": " + actual + " instead of " + expected);
    }
  }
}
