/**
 * The Leak Collection: public leaks as programs of at most 60 lines. {@code leaks.json} beside the
 * sources has the truth about each.
 */
@NullMarked
package dev.offcut.leaks;

import org.jspecify.annotations.NullMarked;
