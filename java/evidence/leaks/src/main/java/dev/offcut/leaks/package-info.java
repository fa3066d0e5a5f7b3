/**
 * The Leak Collection: leaks of public projects as programs of at most 60 lines. {@code
 * leaks.json}, beside the sources, has the known cause of each.
 */
@NullMarked
package dev.offcut.leaks;

import org.jspecify.annotations.NullMarked;
