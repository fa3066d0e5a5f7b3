/**
 * Suite {@code handle}: the cost of making sure that a native resource is not lost.
 *
 * <p>Start at {@link dev.offcut.bench.handle.HandleSuite}. The measured code runs in child JVMs:
 * {@link dev.offcut.bench.handle.OpenClose}, {@link dev.offcut.bench.handle.Live}, {@link
 * dev.offcut.bench.handle.Forgotten}, {@link dev.offcut.bench.handle.RegisterOom}, {@link
 * dev.offcut.bench.handle.Finalization}.
 */
@NullMarked
package dev.offcut.bench.handle;

import org.jspecify.annotations.NullMarked;
