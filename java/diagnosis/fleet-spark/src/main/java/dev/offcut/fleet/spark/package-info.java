/** Fleets on Apache Spark: what runs in the program that {@code spark-submit} starts. */
@NullMarked
package dev.offcut.fleet.spark;

import org.jspecify.annotations.NullMarked;
