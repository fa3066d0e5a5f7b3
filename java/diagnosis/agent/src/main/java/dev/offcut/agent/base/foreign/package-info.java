/**
 * Helper classes that the build moves to {@code jdk.internal.foreign}, the package of the sessions
 * of arenas, each under the name {@code OffcutName}. {@link dev.offcut.agent.base.JavaBase}
 * explains why. Classes of the agent know the helpers by name, and use only their constants.
 */
@NullMarked
package dev.offcut.agent.base.foreign;

import org.jspecify.annotations.NullMarked;
