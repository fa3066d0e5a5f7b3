/**
 * A concurrent map from primitive long to object, without boxed keys and without an object for each
 * entry.
 */
module dev.offcut.longmap {
  exports dev.offcut.longmap;
}
