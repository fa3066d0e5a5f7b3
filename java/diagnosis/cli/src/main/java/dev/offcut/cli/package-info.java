/** The commands of {@code offcut}. {@link dev.offcut.cli.Main} lists them, and each is a class. */
@NullMarked
package dev.offcut.cli;

import org.jspecify.annotations.NullMarked;
