/**
 * Makes traces of real programs. {@link dev.offcut.replay.record.Recorder} runs a program with
 * Flight Recorder, and makes a trace of what its class loaders allocated and freed.
 */
@NullMarked
package dev.offcut.replay.record;

import org.jspecify.annotations.NullMarked;
