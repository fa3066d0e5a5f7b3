/**
 * Rules of closeables: classes whose objects a program has to close, of libraries and of the JDK.
 *
 * <p>{@link dev.offcut.closeables.Rules} reads files of them; {@code spec/closeables.json} has
 * those that are built in. The agent acts on rules, the command explains what it counted.
 */
@NullMarked
package dev.offcut.closeables;

import org.jspecify.annotations.NullMarked;
