/**
 * Suite {@code memory}: what native memory costs to take and to free, and how much of it stays.
 *
 * <p>Start at {@link dev.offcut.bench.memory.MemorySuite}. What is measured runs in child JVMs, on
 * an {@link dev.offcut.bench.memory.Allocator} each: {@link dev.offcut.bench.memory.AllocFree},
 * {@link dev.offcut.bench.memory.LiveSet}, {@link dev.offcut.bench.memory.Larson}, {@link
 * dev.offcut.bench.memory.Xmalloc}, {@link dev.offcut.bench.memory.BurstSettle}, {@link
 * dev.offcut.bench.memory.Pinned}; on arenas, {@link dev.offcut.bench.memory.ArenaCycle} and {@link
 * dev.offcut.bench.memory.PinnedArenas}.
 */
@NullMarked
package dev.offcut.bench.memory;

import org.jspecify.annotations.NullMarked;
