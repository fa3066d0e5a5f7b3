/** What is known of a program, for people and for other programs to read. */
@NullMarked
package dev.offcut.cli.report;

import org.jspecify.annotations.NullMarked;
