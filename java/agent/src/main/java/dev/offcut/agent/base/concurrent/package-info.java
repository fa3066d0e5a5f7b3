/**
 * Helpers that the build moves to {@code java.util.concurrent}, each as {@code OffcutName}: {@link
 * dev.offcut.agent.base.JavaBase} says why. The agent's classes know them by name, and use nothing
 * of them but constants.
 */
@NullMarked
package dev.offcut.agent.base.concurrent;

import org.jspecify.annotations.NullMarked;
