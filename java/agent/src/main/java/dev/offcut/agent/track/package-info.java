/**
 * Finding native memory and handles in a program as it is: who opened what, and what became of it.
 * {@link dev.offcut.agent.track.Tracking} is where it starts; {@link
 * dev.offcut.agent.base.concurrent.Counts} says what is counted.
 */
@NullMarked
package dev.offcut.agent.track;

import org.jspecify.annotations.NullMarked;
