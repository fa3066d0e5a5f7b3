/**
 * The Leak Collection: leaks of public projects as small programs. {@code leaks.json}, beside the
 * sources, has the known cause of each.
 */
@NullMarked
package dev.offcut.leaks;

import org.jspecify.annotations.NullMarked;
