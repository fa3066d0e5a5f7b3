/**
 * A binding to SQLite by {@code java.lang.foreign}. {@link dev.offcut.examples.sqlite.Database},
 * {@link dev.offcut.examples.sqlite.Statement} and {@link dev.offcut.examples.sqlite.Rows} are
 * handles, each the parent of the next. {@link dev.offcut.examples.sqlite.Main} is a program that
 * uses them.
 */
@NullMarked
package dev.offcut.examples.sqlite;

import org.jspecify.annotations.NullMarked;
