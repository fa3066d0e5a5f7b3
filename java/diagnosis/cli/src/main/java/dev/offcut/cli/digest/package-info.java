/**
 * Makes a {@link dev.offcut.cli.digest.Digest} of tables and events: all that a report says about a
 * program.
 */
@NullMarked
package dev.offcut.cli.digest;

import org.jspecify.annotations.NullMarked;
