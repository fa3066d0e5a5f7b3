/**
 * A program with a page of metrics for Prometheus, which leaks native memory if it is told to.
 *
 * <p>Start at {@link dev.offcut.examples.metrics.Main}.
 */
@NullMarked
package dev.offcut.examples.metrics;

import org.jspecify.annotations.NullMarked;
