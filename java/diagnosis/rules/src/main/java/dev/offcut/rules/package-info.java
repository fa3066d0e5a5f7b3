/**
 * Rules of closeables. A rule names a class of a library or of the JDK whose objects a program has
 * to close, and the methods that open and close them.
 *
 * <p>{@link dev.offcut.rules.Rules} reads files of rules; {@code spec/closeables.json} has the
 * built-in ones. The agent counts objects by rules, and the command explains the counts.
 */
@NullMarked
package dev.offcut.rules;

import org.jspecify.annotations.NullMarked;
