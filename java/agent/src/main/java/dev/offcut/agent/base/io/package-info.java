/**
 * Helpers that the build moves to {@code java.io}, each as {@code OffcutName}: {@link
 * dev.offcut.agent.base.JavaBase} says why. The agent's classes know them by name, and use nothing
 * of them but constants.
 */
@NullMarked
package dev.offcut.agent.base.io;

import org.jspecify.annotations.NullMarked;
