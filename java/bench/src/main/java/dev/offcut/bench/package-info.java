/**
 * The harness: runs the cases of a suite in child JVMs, in interleaved rounds, and makes rows, a
 * table and verdicts of what they report.
 *
 * <pre>
 *   Main ──▶ Suite: cases, bars ──▶ Rounds ──▶ ChildJvm ══▶ child.Child (in a JVM of its own)
 *                                      │
 *                                      ▼
 *                                   Samples ──▶ Rows ──▶ JsonReport, TableReport (with Bar, Ahead)
 * </pre>
 *
 * <p>On a machine that does other things too, absolute times drift from minute to minute. So a case
 * is measured in rounds, each of which runs every implementation once, one right after the other; a
 * row is the median of its rounds; and only ratios of rows of one run mean anything.
 *
 * <p>A suite is a package of its own; {@link dev.offcut.bench.Suites} lists them.
 */
@NullMarked
package dev.offcut.bench;

import org.jspecify.annotations.NullMarked;
