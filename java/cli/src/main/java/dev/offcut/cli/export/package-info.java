/** What is known of a program, in formats of other tools. */
@NullMarked
package dev.offcut.cli.export;

import org.jspecify.annotations.NullMarked;
