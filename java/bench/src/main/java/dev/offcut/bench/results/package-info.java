/**
 * {@code ./offcut bench all}: every suite one after the other, and the pages that show what came of
 * them beside what the five sources published.
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
