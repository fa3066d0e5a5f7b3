/**
 * Reads Java serialization from untrusted senders: only named classes are allowed, and everything
 * is limited.
 */
module dev.offcut.objectstream {
  requires static org.jspecify;

  exports dev.offcut.objectstream;
}
