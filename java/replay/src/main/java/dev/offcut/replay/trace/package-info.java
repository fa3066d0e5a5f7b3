/** Traces of class loaders: what they are, how they are read and written, and the one built in. */
@NullMarked
package dev.offcut.replay.trace;

import org.jspecify.annotations.NullMarked;
