/**
 * Handles that are opened and closed, by every implementation: the part of the suite {@code handle}
 * that is measured on older JDKs, too. {@link dev.offcut.bench.child.handle.OpenClose} is the
 * program.
 */
@org.jspecify.annotations.NullMarked
package dev.offcut.bench.child.handle;
