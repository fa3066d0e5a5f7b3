/**
 * Helper classes that the build moves to {@code java.io}, each under the name {@code OffcutName}.
 * {@link dev.offcut.agent.base.JavaBase} explains why. Classes of the agent know the helpers by
 * name, and use only their constants.
 */
@NullMarked
package dev.offcut.retrofit.base.io;

import org.jspecify.annotations.NullMarked;
