/**
 * The harness of the bench. It runs the cases of a suite in child JVMs, in interleaved rounds, and
 * makes rows, a page and verdicts of what they report.
 *
 * <pre>
 *   Main ──▶ Suite: cases, bars ──▶ Rounds ──▶ ChildJvm (programs), Loop (forks of JMH)
 *                                     │
 *                                     ▼
 *                                  Samples ──▶ JsonReport, TableReport (with Bar, Ahead)
 * </pre>
 *
 * <p>A suite is a package; {@link dev.offcut.bench.Suites} lists them.
 */
@NullMarked
package dev.offcut.bench;

import org.jspecify.annotations.NullMarked;
