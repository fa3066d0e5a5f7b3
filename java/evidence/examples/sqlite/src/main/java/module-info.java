/**
 * A binding to the system's SQLite on Offcut handles, and a program that uses it.
 *
 * <p>Start at {@link dev.offcut.examples.sqlite.Database}.
 */
module dev.offcut.examples.sqlite {
  requires transitive dev.offcut.handle;
  requires static org.jspecify;

  exports dev.offcut.examples.sqlite;
}
