/**
 * Reads Java serialization from untrusted senders. Classes come from an explicit class loader, only
 * named classes are allowed, and everything is limited.
 *
 * <p>Start at {@link dev.offcut.objectstream.StreamPolicy}, which lists the allowed classes and
 * opens {@link dev.offcut.objectstream.SafeObjectInputStream}s. {@link
 * dev.offcut.objectstream.Learning} finds out which classes a program needs.
 */
@NullMarked
package dev.offcut.objectstream;

import org.jspecify.annotations.NullMarked;
