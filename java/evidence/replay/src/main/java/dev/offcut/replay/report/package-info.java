/** Writes the results of replays as text and as JSON. */
@NullMarked
package dev.offcut.replay.report;

import org.jspecify.annotations.NullMarked;
