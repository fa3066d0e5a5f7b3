/** The words of the command, and what runs a program. */
@NullMarked
package dev.offcut.cli.run;

import org.jspecify.annotations.NullMarked;
