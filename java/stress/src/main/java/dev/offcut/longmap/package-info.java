/** The proofs of the map that need its constructor for tests. */
package dev.offcut.longmap;
