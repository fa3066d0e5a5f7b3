/**
 * {@code ./offcut bench all}: runs every suite, one after the other, and makes the pages that show
 * the results beside the figures that the sources published.
 *
 * <pre>
 *   AllCommand ──▶ SuiteProcess (one for each suite) ══▶ SUITE.json, SUITE.txt, SUITE.failed
 *                                                             │
 *                                                             ▼
 *                  Headlines ──▶ Section ◀──────────────── Outcome
 *                                   │
 *                                   ▼
 *                          MarkdownPage, ResultsJson
 * </pre>
 */
@NullMarked
package dev.offcut.bench.results;

import org.jspecify.annotations.NullMarked;
