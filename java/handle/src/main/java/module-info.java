/**
 * Handles: objects that stand for one native resource and close it once, with a net for the
 * forgotten ones.
 */
module dev.offcut.handle {
  requires static org.jspecify;
  requires static jdk.jfr;

  exports dev.offcut.handle;
}
