/** Calls of native allocators, as a program makes them that has no library for it. */
@NullMarked
package dev.offcut.bench.malloc;

import org.jspecify.annotations.NullMarked;
