/**
 * Handles: objects that stand for one native resource each and close it once. A safety net releases
 * the resources of forgotten handles.
 *
 * <p>Start at {@link dev.offcut.handle.Handle}: its source explains the protocol. {@link
 * dev.offcut.handle.HandleType} describes one kind of handle. {@link dev.offcut.handle.Handles} has
 * the operations on all handles. {@link dev.offcut.handle.Cleaner} replaces {@code
 * java.lang.ref.Cleaner} by a change of import.
 */
@NullMarked
package dev.offcut.handle;

import org.jspecify.annotations.NullMarked;
