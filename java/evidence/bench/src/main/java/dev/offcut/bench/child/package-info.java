/**
 * The part of the bench that runs in a child JVM: it runs the measured loop and reports the
 * figures. The other part starts the child and reads its figures. It needs only Java 17, since a
 * suite may compare JDKs.
 */
@NullMarked
package dev.offcut.bench.child;

import org.jspecify.annotations.NullMarked;
