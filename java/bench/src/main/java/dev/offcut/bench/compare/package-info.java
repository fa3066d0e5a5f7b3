/**
 * {@code ./offcut bench compare}: two runs of one suite, row by row. {@link
 * dev.offcut.bench.compare.Comparison.Change} says what counts as a change, and what as a
 * regression.
 */
@NullMarked
package dev.offcut.bench.compare;

import org.jspecify.annotations.NullMarked;
