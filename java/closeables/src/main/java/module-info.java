/** Rules of classes whose objects a program has to close. */
module dev.offcut.closeables {
  requires static org.jspecify;

  exports dev.offcut.closeables;
}
