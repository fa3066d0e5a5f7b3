/**
 * Tests that leak native memory or handles fail, with the line that opened: {@link
 * dev.offcut.junit.NoNativeLeaks}.
 */
@NullMarked
package dev.offcut.junit;

import org.jspecify.annotations.NullMarked;
