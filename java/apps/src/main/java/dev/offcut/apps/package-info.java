/**
 * Programs of libraries that know nothing of Offcut: heavy users of JNA, of mapped files, of direct
 * buffers, of class loaders and of object streams. Each says on stdout only what is the same in
 * every run, and does the more the greater its one argument is.
 */
@NullMarked
package dev.offcut.apps;

import org.jspecify.annotations.NullMarked;
