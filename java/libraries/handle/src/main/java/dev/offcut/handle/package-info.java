/**
 * Handles: objects that stand for one native resource each and close it once. A safety net releases
 * the resources of forgotten handles.
 *
 * <p>Start at {@link dev.offcut.handle.Handle}: its source explains the protocol. {@link
 * dev.offcut.handle.HandleType} describes one kind of handle. {@link dev.offcut.handle.Handles} has
 * the operations on all handles. {@link dev.offcut.handle.Cleaner} replaces {@code
 * java.lang.ref.Cleaner} by a change of import.
 *
 * <p>The classes stand in six layers, from above: public classes; the net, which releases forgotten
 * handles; young handles; tenured handles; states of handles and types; and the settings and small
 * classes that all use. A class uses its own layer and those below it. The README of the module
 * lists the layers.
 */
@NullMarked
package dev.offcut.handle;

import org.jspecify.annotations.NullMarked;
