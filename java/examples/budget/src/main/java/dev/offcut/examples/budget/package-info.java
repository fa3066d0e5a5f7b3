/**
 * An echo server with Netty, a reader with Arrow and an index with Lucene, whose native memory has
 * one limit.
 *
 * <p>Start at {@link dev.offcut.examples.budget.Main}.
 */
@NullMarked
package dev.offcut.examples.budget;

import org.jspecify.annotations.NullMarked;
