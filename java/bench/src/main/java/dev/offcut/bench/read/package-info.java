/**
 * Reads kept results ({@code offcut.bench/1}). {@link dev.offcut.bench.read.RunFile} is one file,
 * of a suite in any language.
 */
@NullMarked
package dev.offcut.bench.read;

import org.jspecify.annotations.NullMarked;
