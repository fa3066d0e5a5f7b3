/**
 * Kept results, {@code offcut.bench/1}, read back: {@link dev.offcut.bench.read.RunFile} is one
 * file, of whatever language the suite was in.
 */
@NullMarked
package dev.offcut.bench.read;

import org.jspecify.annotations.NullMarked;
