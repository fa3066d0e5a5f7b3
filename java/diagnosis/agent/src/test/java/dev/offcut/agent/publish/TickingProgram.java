package dev.offcut.agent.publish;

import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Objects;

/**
 * Has the agent publish as often as it would in hours, and with a part that fails. It calls the
 * agent's own methods, since no user may turn its clock.
 */
final class TickingProgram {
  private static final int TICKS = 20_000;
  private static final int FIRST = 2_000;

  private TickingProgram() {}

  /** A class that a rule names. */
  static class Base implements AutoCloseable {
    Base() {}

    @Override
    public void close() {}
  }

  /** Made anew as a hidden class, whose objects do not count. */
  static final class Hidden extends Base {
    Hidden() {}
  }

  public static void main(String[] args) throws Exception {
    Object tables = tables();
    Method tick = method(tables, "tick");
    if (args[0].equals("often")) {
      often(tables, tick);
    } else {
      failing(tables, tick);
    }
  }

  /** Prints how many bytes of the file are in use after the first ticks, and after all. */
  private static void often(Object tables, Method tick) throws Exception {
    Constructor<?> hidden = hidden();
    for (int i = 1; i <= TICKS; i++) {
      ((AutoCloseable) hidden.newInstance()).close();
      new Base().close();
      tick.invoke(tables);
      if (i == FIRST || i == TICKS) {
        System.out.println("used " + get(get(tables, "file"), "used"));
      }
    }
  }

  /** A part fails for a while: no other part, and then no part. */
  private static void failing(Object tables, Method tick) throws Exception {
    tick.invoke(tables);
    Field status = tables.getClass().getDeclaredField("status");
    status.setAccessible(true);
    Object known = status.get(tables);
    status.set(tables, null);
    for (int i = 0; i < 3; i++) {
      new Base().close();
      tick.invoke(tables);
    }
    System.out.println("failing");
    System.in.read();
    status.set(tables, known);
    tick.invoke(tables);
    System.out.println("mended");
    System.in.read();
  }

  private static Constructor<?> hidden() throws Exception {
    try (InputStream file =
        Objects.requireNonNull(
            TickingProgram.class.getResourceAsStream("TickingProgram$Hidden.class"))) {
      Class<?> made =
          MethodHandles.lookup().defineHiddenClass(file.readAllBytes(), true).lookupClass();
      return made.getDeclaredConstructor();
    }
  }

  private static Object tables() throws Exception {
    Class<?> loader = Class.forName("dev.offcut.agent.AgentLoader");
    Field only = loader.getDeclaredField("only");
    only.setAccessible(true);
    Class<?> watch =
        Class.forName("dev.offcut.agent.publish.Watch", true, (ClassLoader) only.get(null));
    Field started = watch.getDeclaredField("started");
    started.setAccessible(true);
    return get(started.get(null), "tables");
  }

  private static Method method(Object of, String name) throws Exception {
    Method method = of.getClass().getDeclaredMethod(name);
    method.setAccessible(true);
    return method;
  }

  private static Object get(Object of, String name) throws Exception {
    Field field = of.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(of);
  }
}
