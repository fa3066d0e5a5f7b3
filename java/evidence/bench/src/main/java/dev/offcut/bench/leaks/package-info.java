/**
 * Suite {@code leaks}: which tool finds which leak of the collection in {@code
 * java/evidence/leaks}.
 */
@NullMarked
package dev.offcut.bench.leaks;

import org.jspecify.annotations.NullMarked;
