/**
 * The commands of {@code offcut}. {@link dev.offcut.command.Main} lists them, and each is a class.
 */
@NullMarked
package dev.offcut.command;

import org.jspecify.annotations.NullMarked;
