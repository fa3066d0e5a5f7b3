/**
 * Reads sources (tables, recordings, archives, running programs) into one model, {@link
 * dev.offcut.command.read.Digest}.
 */
@NullMarked
package dev.offcut.command.read;

import org.jspecify.annotations.NullMarked;
