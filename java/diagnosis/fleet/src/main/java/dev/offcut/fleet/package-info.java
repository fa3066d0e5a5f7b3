/**
 * The figures of many JVMs in one folder. {@code spec/fleet.md} has the layout and the one rule by
 * which nothing counts twice. Nothing in this package uses DuckDB.
 *
 * <p>{@link dev.offcut.fleet.SourceReader} makes {@link dev.offcut.fleet.Rows} of what one process
 * left; {@link dev.offcut.fleet.Fleet} knows the folder; an {@link dev.offcut.fleet.Engine} answers
 * questions.
 */
@NullMarked
package dev.offcut.fleet;

import org.jspecify.annotations.NullMarked;
