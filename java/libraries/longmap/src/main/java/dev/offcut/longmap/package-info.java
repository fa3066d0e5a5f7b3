/**
 * A concurrent map from primitive long to object: {@link dev.offcut.longmap.ConcurrentLongMap}. Its
 * file needs no other file and may be copied into another project.
 */
package dev.offcut.longmap;
