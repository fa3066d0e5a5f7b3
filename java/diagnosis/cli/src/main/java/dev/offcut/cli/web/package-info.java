/** Serves the page that shows a program while it runs. */
@NullMarked
package dev.offcut.cli.web;

import org.jspecify.annotations.NullMarked;
