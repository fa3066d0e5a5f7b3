package dev.offcut.bench.results;

import java.util.List;

/**
 * A table of a page.
 *
 * @param caption what is in it
 * @param columns the heads
 * @param lines the cells, as text
 */
record Table(String caption, List<String> columns, List<List<String>> lines) {}
