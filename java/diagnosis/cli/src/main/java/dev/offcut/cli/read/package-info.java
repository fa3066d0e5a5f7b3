/**
 * Reads sources (tables, recordings, archives, running programs) into one model, {@link
 * dev.offcut.cli.read.Digest}.
 */
@NullMarked
package dev.offcut.cli.read;

import org.jspecify.annotations.NullMarked;
