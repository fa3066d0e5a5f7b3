/**
 * Reads Java serialization that comes from an untrusted sender. Only named classes are allowed, and
 * limits bound memory and CPU.
 */
module dev.offcut.objectstream {
  requires static org.jspecify;

  exports dev.offcut.objectstream;
}
