/**
 * Suite {@code longmap}: the cost of finding a value by an address.
 *
 * <p>Start at {@link dev.offcut.bench.longmap.LongmapSuite}. The measured code runs in child JVMs,
 * on real addresses ({@link dev.offcut.bench.longmap.Addresses}): {@link
 * dev.offcut.bench.longmap.PutRemove}, {@link dev.offcut.bench.longmap.Mixed}, {@link
 * dev.offcut.bench.longmap.AddRemove}, {@link dev.offcut.bench.longmap.Churn}, {@link
 * dev.offcut.bench.longmap.BurstDrain}, {@link dev.offcut.bench.longmap.Grow}, {@link
 * dev.offcut.bench.longmap.JnaMemory}.
 */
@NullMarked
package dev.offcut.bench.longmap;

import org.jspecify.annotations.NullMarked;
