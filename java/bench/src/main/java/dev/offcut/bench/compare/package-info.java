/**
 * {@code ./offcut bench compare}: compares two runs of one suite, row by row. {@link
 * dev.offcut.bench.compare.Comparison.Change} defines a change and a regression.
 */
@NullMarked
package dev.offcut.bench.compare;

import org.jspecify.annotations.NullMarked;
