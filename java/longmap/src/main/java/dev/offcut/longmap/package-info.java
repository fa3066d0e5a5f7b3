/**
 * {@link dev.offcut.longmap.ConcurrentLongMap}, a concurrent map from primitive long to object. The
 * file of the class stands alone and may be copied; this one stays behind.
 */
package dev.offcut.longmap;
