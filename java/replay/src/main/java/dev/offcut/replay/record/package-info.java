/**
 * Traces of real programs: {@link dev.offcut.replay.record.Recorder} runs one with Flight Recorder
 * and makes a trace of what its class loaders did.
 */
@NullMarked
package dev.offcut.replay.record;

import org.jspecify.annotations.NullMarked;
