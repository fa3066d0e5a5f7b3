/** The measuring side of the bench. Run on the class path, on Java 17 and newer. */
module dev.offcut.bench.child {
  requires static org.jspecify;
  requires java.management;
  requires transitive java.rmi;
  requires jdk.management;

  exports dev.offcut.bench.child;
  exports dev.offcut.bench.child.stream;
  exports dev.offcut.bench.child.track;
}
