/** Class files: read, compared with what is known, changed and written. */
@NullMarked
package dev.offcut.agent.code;

import org.jspecify.annotations.NullMarked;
