/**
 * Programs that do not use Offcut. They use JNA, mapped files, direct buffers, class loaders or
 * object streams heavily. Each takes one argument: the larger it is, the more work it does. Each
 * prints on stdout only what is the same in every run.
 */
@NullMarked
package dev.offcut.apps;

import org.jspecify.annotations.NullMarked;
