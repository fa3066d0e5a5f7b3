/**
 * Handles: objects that stand for one native resource each and close it once. A safety net releases
 * the resources of forgotten handles.
 */
module dev.offcut.handle {
  requires static org.jspecify;
  requires static jdk.jfr;

  exports dev.offcut.handle;
}
