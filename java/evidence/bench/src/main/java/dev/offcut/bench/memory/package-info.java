/**
 * Suite {@code memory}: the cost of allocating and freeing native memory, and how much memory stays
 * resident.
 *
 * <p>Start at {@link dev.offcut.bench.memory.MemorySuite}. The measured code runs in child JVMs,
 * each with one {@link dev.offcut.bench.memory.Allocator}: {@link
 * dev.offcut.bench.memory.AllocFree}, {@link dev.offcut.bench.memory.LiveSet}, {@link
 * dev.offcut.bench.memory.Larson}, {@link dev.offcut.bench.memory.Xmalloc}, {@link
 * dev.offcut.bench.memory.BurstSettle}, {@link dev.offcut.bench.memory.Pinned}. {@link
 * dev.offcut.bench.memory.TraceReplay} and {@link dev.offcut.bench.memory.TraceMemory} replay
 * {@linkplain dev.offcut.bench.memory.MallocTrace recorded programs}. {@link
 * dev.offcut.bench.memory.ArenaCycle} and {@link dev.offcut.bench.memory.PinnedArenas} measure
 * arenas.
 */
@NullMarked
package dev.offcut.bench.memory;

import org.jspecify.annotations.NullMarked;
