package dev.offcut.bench.results;

/**
 * A picture of a page.
 *
 * @param name of its file
 * @param caption what is to be seen, for who does not see it, too
 * @param svg the file
 */
record Picture(String name, String caption, String svg) {}
