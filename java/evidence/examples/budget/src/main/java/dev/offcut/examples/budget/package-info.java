/**
 * An echo server with Netty and a parser with native memory of its own, on one budget.
 *
 * <p>Start at {@link dev.offcut.examples.budget.Main}.
 */
@NullMarked
package dev.offcut.examples.budget;

import org.jspecify.annotations.NullMarked;
