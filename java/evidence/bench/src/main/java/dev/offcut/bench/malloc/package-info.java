/** Calls native allocators directly, as a program does that has no library for it. */
@NullMarked
package dev.offcut.bench.malloc;

import org.jspecify.annotations.NullMarked;
