/** The words of the command, and what runs a program. */
@NullMarked
package dev.offcut.command.run;

import org.jspecify.annotations.NullMarked;
