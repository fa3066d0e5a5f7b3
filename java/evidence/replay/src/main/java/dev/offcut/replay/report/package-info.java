/** Writes the results of replays as text, as JSON and as a page. */
@NullMarked
package dev.offcut.replay.report;

import org.jspecify.annotations.NullMarked;
