/**
 * Finds native memory and handles in a program that is not changed: which line opened each of them,
 * and whether it was closed. {@link dev.offcut.agent.track.Tracking} is the start. {@link
 * dev.offcut.agent.base.concurrent.Counts} lists what is counted.
 */
@NullMarked
package dev.offcut.agent.track;

import org.jspecify.annotations.NullMarked;
