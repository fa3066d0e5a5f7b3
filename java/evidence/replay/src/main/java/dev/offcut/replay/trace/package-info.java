/** Traces of class loaders: their form, their reader, and the built-in trace. */
@NullMarked
package dev.offcut.replay.trace;

import org.jspecify.annotations.NullMarked;
