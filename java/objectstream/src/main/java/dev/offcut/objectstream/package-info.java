/**
 * Java serialization read from strangers: an explicit class loader, nothing allowed until it is
 * named, everything limited.
 *
 * <p>Start at {@link dev.offcut.objectstream.StreamPolicy}, which says what is allowed and opens
 * {@link dev.offcut.objectstream.SafeObjectInputStream}s. {@link dev.offcut.objectstream.Learning}
 * finds out what a program needs.
 */
@NullMarked
package dev.offcut.objectstream;

import org.jspecify.annotations.NullMarked;
