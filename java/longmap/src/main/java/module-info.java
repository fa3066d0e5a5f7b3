/** A concurrent map from primitive long to object that makes no garbage. */
module dev.offcut.longmap {
  exports dev.offcut.longmap;
}
