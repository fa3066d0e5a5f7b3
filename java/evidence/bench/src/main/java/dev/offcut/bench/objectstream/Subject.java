package dev.offcut.bench.objectstream;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.Field;
import java.util.Arrays;

/** What a child measures, by the name in its row; and whether the JVM is what the row says. */
enum Subject {
  STOCK("stock", false, Guard.NONE),
  OFFCUT_AGENT("offcut-agent", true, Guard.NONE),
  GUARD("guard-8246633", false, Guard.HOLDS),
  GUARD_LOADER("guard-8246633-loader", false, Guard.GONE),
  JBOSS_RIVER("jboss-river", false, Guard.NONE);

  /** The flag of the guard: not there, or whether no loader of the program's was constructed. */
  private enum Guard {
    NONE,
    HOLDS,
    GONE
  }

  /** A class loader of the program's own, which loads nothing. */
  private static final class OwnLoader extends ClassLoader {}

  private final String impl;
  private final boolean agent;
  private final Guard guard;

  Subject(String impl, boolean agent, Guard guard) {
    this.impl = impl;
    this.agent = agent;
    this.guard = guard;
  }

  /** Of that name. For {@code guard-8246633-loader}, with a loader constructed. */
  static Subject named(String impl) {
    Subject subject =
        Arrays.stream(values())
            .filter(s -> s.impl.equals(impl))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("unknown implementation " + impl));
    if (subject == GUARD_LOADER) {
      new OwnLoader();
    }
    return subject;
  }

  /** Returns a graph in the format that {@link #open} reads: in its own, or in that of the JDK. */
  byte[] written(Object graph) throws IOException {
    if (this == JBOSS_RIVER) {
      return JbossStreams.ONE.written(graph);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(graph);
    }
    return bytes.toByteArray();
  }

  ObjectInput open(InputStream in) throws IOException {
    return this == JBOSS_RIVER ? JbossStreams.ONE.open(in) : new ObjectInputStream(in);
  }

  /** Throws if the JVM was not what the row is to say. */
  void check() {
    boolean rewritten =
        Arrays.stream(ObjectInputStream.class.getDeclaredFields())
            .anyMatch(field -> field.getName().startsWith("offcut"));
    if (rewritten != agent) {
      throw new AssertionError(
          impl + ", but ObjectInputStream is " + (rewritten ? "" : "not ") + "rewritten");
    }
    if (guard() != guard) {
      throw new AssertionError(impl + ", but the guard: " + guard());
    }
  }

  private static Guard guard() {
    try {
      Field flag = Class.forName("jdk.internal.misc.VM").getField("offcutBenchOwnLoader");
      return flag.getBoolean(null) ? Guard.GONE : Guard.HOLDS;
    } catch (NoSuchFieldException e) {
      return Guard.NONE;
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the flag of the guard", e);
    }
  }
}
