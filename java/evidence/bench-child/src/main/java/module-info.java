/**
 * The part of the bench that runs in child JVMs. It runs on the class path, on Java 17 and newer.
 */
module dev.offcut.bench.child {
  requires static org.jspecify;
  requires com.sun.jna;
  requires dev.offcut.handle;
  requires java.management;
  requires org.bytedeco.javacpp;
  requires org.jboss.marshalling;
  requires transitive java.rmi;
  requires jdk.management;

  exports dev.offcut.bench.child;
  exports dev.offcut.bench.child.handle;
  exports dev.offcut.bench.child.stream;
  exports dev.offcut.bench.child.track;
}
