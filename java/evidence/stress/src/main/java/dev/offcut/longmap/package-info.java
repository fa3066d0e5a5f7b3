/** Proofs of the map that need its package-private constructor for tests. */
package dev.offcut.longmap;
