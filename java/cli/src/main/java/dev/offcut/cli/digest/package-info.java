/** What is known of a program: {@link dev.offcut.cli.digest.Digest}, made of events. */
@NullMarked
package dev.offcut.cli.digest;

import org.jspecify.annotations.NullMarked;
