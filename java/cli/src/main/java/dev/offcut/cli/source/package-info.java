/** Where events come from: recordings, directories of them, programs that run. */
@NullMarked
package dev.offcut.cli.source;

import org.jspecify.annotations.NullMarked;
