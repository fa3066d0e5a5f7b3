/**
 * Helper classes that the build moves to {@code java.util.concurrent}, each under the name {@code
 * OffcutName}. {@link dev.offcut.agent.base.JavaBase} explains why. Classes of the agent know the
 * helpers by name, and use only their constants.
 *
 * <p>A helper has no lambda and no switch over texts or records: the JDK calls helpers while it
 * links a lambda itself, for which it allocates memory and registers cleaners.
 */
@NullMarked
package dev.offcut.agent.base.concurrent;

import org.jspecify.annotations.NullMarked;
