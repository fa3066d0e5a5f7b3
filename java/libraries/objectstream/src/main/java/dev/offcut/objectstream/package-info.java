/**
 * Reads Java serialization that comes from an untrusted sender. Only named classes are allowed, an
 * explicit class loader finds them, and limits bound memory and CPU.
 *
 * <p>Start at {@link dev.offcut.objectstream.StreamPolicy}: it lists the allowed classes and opens
 * {@link dev.offcut.objectstream.SafeObjectInputStream}s. {@link dev.offcut.objectstream.Learning}
 * finds out which classes a program needs.
 */
@NullMarked
package dev.offcut.objectstream;

import org.jspecify.annotations.NullMarked;
