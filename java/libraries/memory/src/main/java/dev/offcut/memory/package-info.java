/**
 * A pool of native memory that limits and counts the memory of each part of a program. Arenas,
 * heaps and single chunks take their memory from it.
 *
 * <p>Start at {@link dev.offcut.memory.MemoryPool}. An {@link dev.offcut.memory.Owner} is a part of
 * the program; it opens {@link dev.offcut.memory.PoolArena}s and {@link
 * dev.offcut.memory.BlockHeap}s.
 */
@NullMarked
package dev.offcut.memory;

import org.jspecify.annotations.NullMarked;
