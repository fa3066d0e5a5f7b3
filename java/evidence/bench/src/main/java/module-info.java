/** Measures Offcut and other libraries. It runs on the class path: see {@code ChildJvm}. */
module dev.offcut.bench {
  requires static org.jspecify;
  requires artemis.commons;
  requires dev.offcut.handle;
  requires dev.offcut.longmap;
  requires dev.offcut.memory;
  requires dev.offcut.netty;
  requires com.fasterxml.jackson.core;
  requires com.fasterxml.jackson.databind;
  requires com.sun.jna;
  requires info.picocli;
  requires io.netty.buffer;
  requires io.netty.common;
  requires java.management;
  requires jdk.management;
  requires jmh.core;
  requires org.jboss.marshalling;
  requires org.jctools.core;

  opens dev.offcut.bench to
      info.picocli;
}
