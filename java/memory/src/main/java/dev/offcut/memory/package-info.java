/** The pool: {@link dev.offcut.memory.MemoryPool} is where to begin. */
@NullMarked
package dev.offcut.memory;

import org.jspecify.annotations.NullMarked;
