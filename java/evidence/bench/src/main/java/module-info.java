/** Measures Offcut and other libraries. It runs on the class path: see {@code ChildJvm}. */
module dev.offcut.bench {
  requires static org.jspecify;
  requires artemis.commons;
  requires async.profiler;
  requires bookkeeper.server;
  requires dev.offcut.examples.sqlite;
  requires dev.offcut.handle;
  requires dev.offcut.longmap;
  requires dev.offcut.replay;
  requires dev.offcut.memory;
  requires dev.offcut.metrics;
  requires dev.offcut.netty;
  requires hipparchus.core;
  requires hipparchus.stat;
  requires com.carrotsearch.hppc;
  requires com.fasterxml.jackson.core;
  requires com.sun.jna;
  requires info.picocli;
  requires io.netty.buffer;
  requires io.netty.common;
  requires it.unimi.dsi.fastutil;
  requires java.management;
  requires java.sql;
  requires jdk.management;
  requires jmh.core;
  requires micrometer.core;
  requires micrometer.registry.prometheus;
  requires org.agrona;
  requires org.bytedeco.javacpp;
  requires org.jboss.marshalling;
  requires transitive java.rmi;
  requires org.jctools.core;

  opens dev.offcut.bench to
      info.picocli;
}
