/**
 * Suite {@code sqlite}: what a statement of SQLite costs through a binding on handles, and through
 * sqlite-jdbc.
 *
 * <p>Start at {@link dev.offcut.bench.sqlite.SqliteSuite}. The measured code is {@link
 * dev.offcut.bench.sqlite.Statements}, in child JVMs.
 */
@NullMarked
package dev.offcut.bench.sqlite;

import org.jspecify.annotations.NullMarked;
