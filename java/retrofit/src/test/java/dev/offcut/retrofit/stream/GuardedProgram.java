package dev.offcut.retrofit.stream;

import static dev.offcut.retrofit.stream.StreamCases.attempt;
import static dev.offcut.retrofit.stream.StreamCases.bytes;
import static dev.offcut.retrofit.stream.StreamCases.loader;
import static dev.offcut.retrofit.stream.StreamCases.log;
import static dev.offcut.retrofit.stream.StreamCases.logging;
import static dev.offcut.retrofit.stream.StreamCases.open;

import dev.offcut.retrofit.stream.Fixtures.Defaults;
import dev.offcut.retrofit.stream.Fixtures.Other;
import dev.offcut.retrofit.stream.Fixtures.Plain;
import dev.offcut.retrofit.stream.Fixtures.Third;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.rmi.MarshalledObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A program that a {@link GuardAgent} guards, which reads what the guard lets through and what it
 * does not. What it prints must be the same with and without our agent, to the byte; on stderr is
 * how many walks were saved.
 */
public final class GuardedProgram implements BiConsumer<String, Object> {
  /** The system property that holds the guard. */
  static final String GUARD = "offcut.test.guard";

  private @Nullable Runnable next;

  private GuardedProgram() {}

  /** What no guard lets through. */
  @SuppressWarnings("serial") // the parts can be written
  static final class Evil implements Serializable {
    private static final long serialVersionUID = 1;

    final Object part;

    Evil(Object part) {
      this.part = part;
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      System.out.println("the evil one runs");
      in.defaultReadObject();
    }
  }

  /** A stream whose classes its own code asks for, too. */
  public static final class Asked extends ObjectInputStream {
    /** Reads from bytes. */
    public Asked(InputStream in) throws IOException {
      super(in);
    }

    /** What it resolves for its own code. */
    public Class<?> ask(ObjectStreamClass desc) throws IOException, ClassNotFoundException {
      return resolveClass(desc);
    }
  }

  /** Asks a stream for a class: of any loader. */
  public static final class Asks implements Fixtures.Step {
    @Override
    public Object read(ObjectInputStream in) throws Exception {
      return ((Asked) in).ask(ObjectStreamClass.lookup(Other.class));
    }
  }

  /** What to do besides: nothing, or the guard's jar to attach it. */
  public static void main(String[] args) throws Exception {
    GuardedProgram program = new GuardedProgram();
    System.getProperties().put(GUARD, program);
    program.readAll("at first");
    if (args.length > 0) {
      ReadingProgram.attach(args[0]);
      program.readAll("attached");
    }
    GuardAgent.redefineGuarded();
    program.readAll("redefined");
    GuardAgent.redefineStock();
    program.readAll("as they were");
  }

  @Override
  public void accept(String label, Object resolved) {
    boolean isClass = resolved instanceof ObjectStreamClass;
    String name =
        isClass ? ((ObjectStreamClass) resolved).getName() : Arrays.toString((String[]) resolved);
    System.out.println(label + " guards " + name);
    if (name.endsWith("$Evil")) {
      throw new SecurityException(label + " stops " + name);
    }
    Runnable now = next;
    if (now != null && name.endsWith("$Plain")) {
      next = null;
      now.run();
    }
  }

  private void readAll(String when) throws Exception {
    System.out.println(when);
    Object proxy =
        Proxy.newProxyInstance(
            GuardedProgram.class.getClassLoader(),
            new Class<?>[] {Fixtures.Hidden.class},
            new LoaderCase.Handler());
    List<Object> nested =
        new ArrayList<>(List.of(new Plain(), new ArrayList<>(List.of(new Other())), proxy, 1));
    ObjectInputStream in = open(nested, new Other(), new Defaults(new Plain()));
    LoaderCase.read(loader("L1"), in);
    LoaderCase.read(loader("L2"), in);
    LoaderCase.read(loader("L3", Defaults.class), in);
    attempt("marshalled", () -> new MarshalledObject<>(nested).get());

    stopped(new Evil(1));
    stopped(new ArrayList<>(List.of(new Defaults(new Evil(new Plain())))));
    attempt("marshalled", () -> new MarshalledObject<>(new Evil(1)).get());

    asked();
    System.err.println("saved " + ReadingProgram.counts()[1]);
  }

  /** The stack says the same, line by line, but for our own frames. */
  private static void stopped(Object evil) throws Exception {
    try (ObjectInputStream in = open(evil)) {
      log("read", in.readObject());
    } catch (SecurityException e) {
      System.out.println(e);
      Iterator<StackTraceElement> frames = List.of(e.getStackTrace()).iterator();
      while (frames.hasNext()) {
        print(frames.next(), frames);
      }
    }
  }

  private static void print(StackTraceElement frame, Iterator<StackTraceElement> callers) {
    String method = frame.getMethodName();
    if (method.startsWith("offcut")) {
      // What the body of a method has become, which is what calls it.
      StackTraceElement entry = callers.next();
      if (entry.getLineNumber() <= 0) {
        throw new AssertionError("no line in " + entry);
      }
      method = entry.getMethodName();
    } else if (method.equals("readObjectOverride")) {
      // Of what a collection is given: in the place of the stream's.
      callers.next();
    }
    if (!frame.getClassName().startsWith("java.io.Offcut")) {
      System.out.println("  " + frame.getClassName() + "." + method + frame.getLineNumber());
    }
  }

  /**
   * While the stream resolves a class the guard lets code of the program ask it for another one,
   * and read from it: both in loaders of their own.
   */
  private void asked() throws Exception {
    Object[] first = {new Plain(), new Third()};
    Object[] second = {new Other(), new Plain(), new Third()};
    Asked in = logging(new Asked(bytes(first, second)));
    CaseLoader l2 = loader("L2", Asks.class);
    next = () -> attempt("asked", () -> StreamCases.step(l2, Asks.class).read(in));
    LoaderCase.read(loader("L1"), in);
    next =
        () ->
            attempt(
                "meanwhile",
                () -> StreamCases.step(l2, Fixtures.ReadOne.class).read(open(new Other())));
    LoaderCase.read(loader("L3"), in);
    next = null;
  }
}
