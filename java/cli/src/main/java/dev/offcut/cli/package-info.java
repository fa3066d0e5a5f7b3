/** The words of the command: {@link dev.offcut.cli.Main} has them, each is a class of its own. */
@NullMarked
package dev.offcut.cli;

import org.jspecify.annotations.NullMarked;
