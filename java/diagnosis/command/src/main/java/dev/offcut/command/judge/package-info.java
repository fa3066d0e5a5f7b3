/** The rules: what is to be acted on, in figures, and the words of it. */
@NullMarked
package dev.offcut.command.judge;

import org.jspecify.annotations.NullMarked;
