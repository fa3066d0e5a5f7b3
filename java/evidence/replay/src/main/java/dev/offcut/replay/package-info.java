/**
 * Simulates the memory of class loaders. {@link dev.offcut.replay.Replay} runs a trace under a
 * policy. {@link dev.offcut.replay.Main} is the program of {@code offcut replay}.
 */
@NullMarked
package dev.offcut.replay;

import org.jspecify.annotations.NullMarked;
