/** Measures Offcut against its peers. Run on the class path: see {@code ChildJvm}. */
module dev.offcut.bench {
  requires static org.jspecify;
  requires dev.offcut.handle;
  requires com.fasterxml.jackson.core;
  requires com.sun.jna;
  requires info.picocli;
  requires java.management;
  requires jdk.management;
  requires jmh.core;

  opens dev.offcut.bench to
      info.picocli;
}
