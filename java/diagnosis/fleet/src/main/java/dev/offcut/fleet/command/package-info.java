/** The words of {@code offcut fleet}. */
@NullMarked
package dev.offcut.fleet.command;

import org.jspecify.annotations.NullMarked;
