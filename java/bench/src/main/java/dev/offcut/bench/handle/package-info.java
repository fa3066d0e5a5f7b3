/**
 * Suite {@code handle}: what it costs to keep a native resource from being lost.
 *
 * <p>Start at {@link dev.offcut.bench.handle.HandleSuite}. What is measured runs in child JVMs:
 * {@link dev.offcut.bench.handle.OpenClose}, {@link dev.offcut.bench.handle.Live}, {@link
 * dev.offcut.bench.handle.Forgotten}, {@link dev.offcut.bench.handle.RegisterOom}, {@link
 * dev.offcut.bench.handle.Finalization}.
 */
@NullMarked
package dev.offcut.bench.handle;

import org.jspecify.annotations.NullMarked;
