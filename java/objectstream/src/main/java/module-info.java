/**
 * Object streams read from strangers: nothing is allowed until it is named, and everything is
 * limited.
 */
module dev.offcut.objectstream {
  requires static org.jspecify;

  exports dev.offcut.objectstream;
}
