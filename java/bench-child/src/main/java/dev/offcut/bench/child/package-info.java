/**
 * The measuring side of the bench: what a child JVM runs a loop with, and reports by. The other
 * side starts the child and reads its figures. Java 17, since a suite may compare JDKs.
 */
@NullMarked
package dev.offcut.bench.child;

import org.jspecify.annotations.NullMarked;
