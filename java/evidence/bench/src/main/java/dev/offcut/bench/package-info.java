/**
 * The harness of the bench. It runs the cases of a suite in child JVMs, in interleaved rounds, and
 * makes rows, a table and verdicts of what they report.
 *
 * <pre>
 *   Main ──▶ Suite: cases, bars ──▶ Rounds ──▶ ChildJvm ══▶ child.Child (in a JVM of its own)
 *                                      │
 *                                      ▼
 *                                   Samples ──▶ Rows ──▶ JsonReport, TableReport (with Bar, Ahead)
 * </pre>
 *
 * <p>On a machine with other work, absolute times drift from minute to minute. So a case is
 * measured in rounds. A round runs every implementation once, one right after the other, and a row
 * is the median of its rounds. Only ratios of rows of one run mean anything.
 *
 * <p>A suite is a package; {@link dev.offcut.bench.Suites} lists them.
 */
@NullMarked
package dev.offcut.bench;

import org.jspecify.annotations.NullMarked;
