/**
 * A service of Spring Boot that leaks native memory, until it is told not to.
 *
 * <p>Start at {@link dev.offcut.examples.orders.Main}.
 */
@NullMarked
package dev.offcut.examples.orders;

import org.jspecify.annotations.NullMarked;
