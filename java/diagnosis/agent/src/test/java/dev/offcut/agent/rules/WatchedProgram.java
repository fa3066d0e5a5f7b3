package dev.offcut.agent.rules;

import dev.offcut.agent.rules.Plants.Base;
import dev.offcut.agent.rules.Plants.Resource;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.ref.Cleaner;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.Deflater;

/**
 * Opens objects of {@link Plants}, closes some, keeps some, forgets the rest, and prints what it
 * did, a line for each kind: its class, then opened, closed, collected, lost, open.
 */
public final class WatchedProgram {
  private static final int EACH = 3_000;

  private static final Map<String, int[]> TRUTH = new TreeMap<>();
  private static final Cleaner CLEANER = Cleaner.create();
  private static final List<Object> KEPT = new ArrayList<>();

  private WatchedProgram() {}

  private interface Making {
    AutoCloseable make(int number) throws Exception;
  }

  public static void main(String[] args) throws Exception {
    each(Plants.Base.class, Base::new);
    each(Plants.Middle.class, Plants.Middle::new);
    each(Plants.Leaf.class, number -> new Plants.Leaf(number, false));
    each(Plants.Switching.class, number -> new Plants.Switching(number % 5, "two"));
    each(Plants.Both.class, Plants.Both::new);
    each(Plants.Plain.class, Plants.Plain::new);
    each(Plants.OnlyOne.class, number -> new Plants.OnlyOne());
    each(Plants.Inheriting.class, number -> new Inheritor().make());
    each(Deflater.class, number -> new Ending(new Deflater()));
    refused();
    delegating();
    closedInConstructors();
    finalized();
    fromThreads();
    proxies();
    twoLoaders();
    hidden();
    stubborn();
    byRules();
    new Plants.Other();
    TRUTH.forEach(
        (type, counts) -> {
          StringBuilder line = new StringBuilder(type);
          for (int count : counts) {
            line.append(' ').append(count);
          }
          System.out.println(line);
        });
    System.out.println("kept " + KEPT.size());
  }

  private static void count(String type, int what, int more) {
    int[] counts = TRUTH.computeIfAbsent(type, made -> new int[5]);
    counts[0] += more;
    counts[what] += more;
  }

  /** A third of them each: closed twice, forgotten, kept. */
  private static void each(Class<?> type, Making making) throws Exception {
    for (int i = 0; i < EACH; i++) {
      AutoCloseable made = making.make(i);
      if (i % 3 == 0) {
        made.close();
        made.close();
      } else if (i % 3 == 1) {
        KEPT.add(made);
      }
    }
    count(type.getName(), 1, EACH / 3);
    count(type.getName(), 4, EACH / 3);
    count(type.getName(), 3, EACH / 3);
  }

  /** A class whose close the compiler sees in neither of its parents alone. */
  private record Inheritor() {
    AutoCloseable make() {
      Plants.Inheriting made = new Plants.Inheriting();
      return made;
    }
  }

  /** Closed by {@code end}. */
  private record Ending(Deflater deflater) implements AutoCloseable {
    @Override
    public void close() {
      deflater.end();
    }
  }

  /** What the rules of a file say that a class alone does not. */
  private static void byRules() throws Exception {
    for (int i = 0; i < EACH; i++) {
      reused(new Plants.Reused(), i);
      byName(i);
      openedInConstructor(i);
      openedTwice(i);
      accepted(i);
      var cleaned = new Plants.Cleaned(i);
      new Plants.Wrapper(i).close();
      var unwrapped = new Plants.Unwrapped(i);
      var alone = new Plants.Alone();
      new Plants.NotAlone();
      if (i % 2 == 0) {
        cleaned.close();
        unwrapped.close();
        alone.close();
      }
    }
    count(Plants.Cleaned.class.getName(), 1, EACH / 2);
    count(Plants.Cleaned.class.getName(), 2, EACH / 2);
    for (Class<?> type : List.of(Plants.Unwrapped.class, Plants.Alone.class)) {
      count(type.getName(), 1, EACH / 2);
      count(type.getName(), 3, EACH / 2);
    }
    for (int i = 0; i < 10; i++) {
      new Plants.BelowNative().close();
      KEPT.add(new Plants.Endless());
      new Plants.EndedElsewhere().end();
      new Plants.Shelled().close();
    }
  }

  /** Opened twice and closed twice, then forgotten while it is open. */
  private static void reused(Plants.Reused made, int number) {
    made.free(true);
    made.acquire();
    made.acquire();
    made.free(true);
    made.acquire();
    if (number % 2 == 0) {
      made.free(false);
      made.free(false);
    }
    count(Plants.Reused.class.getName(), 1, number % 2 == 0 ? 2 : 1);
    count(Plants.Reused.class.getName(), 3, number % 2 == 0 ? 0 : 1);
  }

  private static void byName(int number) {
    new Plants.ByName(number).close();
    var below = new Plants.NamedBelow("below");
    new Plants.NamedBelow(number).close();
    try {
      var made = new Plants.ByName("name", number % 3 == 0);
      if (number % 2 == 0) {
        made.close();
        below.close();
        below.close();
      }
    } catch (Plants.Refused e) {
      count(Plants.NamedBelow.class.getName(), 3, 1); // the other one was not opened
      return;
    }
    count(Plants.ByName.class.getName(), number % 2 == 0 ? 1 : 3, 1);
    count(Plants.NamedBelow.class.getName(), number % 2 == 0 ? 1 : 3, 1);
  }

  private static void openedInConstructor(int number) {
    var made = new Plants.OpenedInConstructor(number % 3 == 0);
    if (number % 3 == 1) {
      made.open();
    }
    if (number % 2 == 0) {
      made.free();
    }
    if (number % 3 != 2) {
      count(Plants.OpenedInConstructor.class.getName(), number % 2 == 0 ? 1 : 3, 1);
    }
  }

  /** Open once, whatever says so twice. */
  private static void openedTwice(int number) {
    var made = new Plants.OpenedTwice();
    if (number % 2 == 0) {
      made.free();
    }
    count(Plants.OpenedTwice.class.getName(), number % 2 == 0 ? 1 : 3, 1);
  }

  /** Only the one that is given to the other is open. */
  private static void accepted(int number) {
    var listening = new Plants.Accepted();
    var made = new Plants.Accepted();
    listening.accept(made);
    if (number % 2 == 0) {
      made.free();
    }
    count(Plants.Accepted.class.getName(), number % 2 == 0 ? 1 : 3, 1);
  }

  private static void refused() {
    for (int i = 0; i < EACH; i++) {
      try {
        KEPT.add(i % 2 == 0 ? new Plants.Leaf(-1, false) : new Plants.Leaf(1, true));
      } catch (Plants.Refused e) {
        // it opened nothing
      }
    }
  }

  private static void delegating() {
    String type = Plants.Delegating.class.getName();
    for (int i = 0; i < EACH; i++) {
      boolean refuses = i % 2 == 0;
      try {
        Plants.Delegating made = new Plants.Delegating(i % 10, refuses);
        made.other.close();
        made.close();
        count(type, 1, 2);
      } catch (Plants.Refused e) {
        count(type, 3, 1); // the one among its arguments
      }
    }
  }

  private static void closedInConstructors() {
    String type = Plants.ClosedInConstructor.class.getName();
    for (int i = 0; i < EACH; i++) {
      Plants.ClosedInConstructor made = new Plants.ClosedInConstructor(i);
      if (i % 4 != 3) {
        made.close();
      }
      count(type, i % 4 == 3 ? 3 : 1, 1);
    }
  }

  private static void finalized() throws Exception {
    String type = Plants.Finalized.class.getName();
    for (int i = 0; i < EACH; i++) {
      Plants.Finalized made = new Plants.Finalized(i);
      if (i % 2 == 0) {
        made.close();
      }
      count(type, i % 2 == 0 ? 1 : 2, 1);
    }
    int before = Plants.DONE.get();
    for (int i = 0; i < 100; i++) {
      CLEANER.register(new Object(), new Plants.Tidied(i)::close);
    }
    count(Plants.Tidied.class.getName(), 2, 100);
    // Only what is found before the program ends is finalized, or cleaned.
    while (Plants.DONE.get() - before < EACH / 2 + 100) {
      System.gc();
      Thread.sleep(20);
    }
  }

  /**
   * Each object is opened by one thread and closed by another; virtual ones where there are any.
   */
  private static void fromThreads() throws Exception {
    ExecutorService threads;
    try {
      threads =
          (ExecutorService)
              Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (ReflectiveOperationException e) {
      threads = Executors.newFixedThreadPool(4);
    }
    List<Future<List<Base>>> opened = new ArrayList<>();
    for (int task = 0; task < 20; task++) {
      opened.add(
          threads.submit(
              () -> {
                List<Base> all = new ArrayList<>();
                for (int i = 0; i < EACH / 10; i++) {
                  all.add(new Plants.Middle(i));
                }
                return all;
              }));
    }
    List<Future<Integer>> closed = new ArrayList<>();
    for (Future<List<Base>> some : opened) {
      List<Base> all = some.get();
      // Two threads close the same: one of them counts.
      for (int twice = 0; twice < 2; twice++) {
        closed.add(
            threads.submit(
                () -> {
                  all.forEach(Base::close);
                  return all.size();
                }));
      }
    }
    int both = 0;
    for (Future<Integer> some : closed) {
      both += some.get();
    }
    count(Plants.Middle.class.getName(), 1, both / 2);
    threads.shutdown();
  }

  private static void proxies() throws Exception {
    String type = null;
    for (int i = 0; i < 100; i++) {
      Resource made =
          (Resource)
              Proxy.newProxyInstance(
                  Resource.class.getClassLoader(),
                  new Class<?>[] {Resource.class},
                  (proxy, method, arguments) -> null);
      type = made.getClass().getName();
      if (i % 2 == 0) {
        made.close();
      }
    }
    count(String.valueOf(type), 1, 50);
    count(String.valueOf(type), 3, 50);
  }

  /** Two loaders that each have a class of their own with the name of {@link Plants.Middle}. */
  private static void twoLoaders() throws Exception {
    for (int i = 0; i < 2; i++) {
      Class<?> type = new Own().loadClass(Plants.Middle.class.getName());
      var constructor = type.getDeclaredConstructor(int.class);
      constructor.setAccessible(true);
      for (int n = 0; n < 100; n++) {
        AutoCloseable made = (AutoCloseable) constructor.newInstance(n);
        if (n % 2 == 0) {
          made.close();
        }
      }
      count(type.getName(), 1, 50);
      count(type.getName(), 3, 50);
    }
  }

  /** Loads the plants itself. */
  private static final class Own extends ClassLoader {
    private final Map<String, Class<?>> loaded = new HashMap<>();

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith(Plants.class.getName())) {
        return super.loadClass(name, resolve);
      }
      Class<?> known = loaded.get(name);
      if (known == null) {
        try (InputStream file =
            Own.class.getResourceAsStream("/" + name.replace('.', '/') + ".class")) {
          byte[] bytes = file == null ? new byte[0] : file.readAllBytes();
          if (name.endsWith("$Stubborn")) {
            writeToThis(bytes);
          }
          known = defineClass(name, bytes, 0, bytes.length);
        } catch (java.io.IOException e) {
          throw new ClassNotFoundException(name, e);
        }
        loaded.put(name, known);
      }
      return known;
    }
  }

  /** A class whose close is that of an interface, which writes to its variable 0. */
  private static void stubborn() throws Exception {
    Class<?> type = new Own().loadClass(Plants.BelowStubborn.class.getName());
    for (int i = 0; i < 100; i++) {
      ((AutoCloseable) type.getConstructor().newInstance()).close();
    }
  }

  /** {@code aload_0, astore_1} becomes {@code aload_0, astore_0}. No compiler does that. */
  private static void writeToThis(byte[] file) {
    int found = 0;
    for (int i = 0; i + 1 < file.length; i++) {
      if (file[i] == 0x2a && file[i + 1] == 0x4c) {
        file[i + 1] = 0x4b;
        found++;
      }
    }
    if (found != 1) {
      throw new AssertionError("found " + found + " times");
    }
  }

  /** A hidden class below a watched one: its objects do not count. */
  private static void hidden() throws Exception {
    try (InputStream file = WatchedProgram.class.getResourceAsStream("Plants$OnlyHidden.class")) {
      if (file != null) {
        Class<?> type =
            MethodHandles.lookup().defineHiddenClass(file.readAllBytes(), true).lookupClass();
        for (int i = 0; i < 100; i++) {
          KEPT.add(type.getDeclaredConstructor().newInstance());
        }
      }
    }
  }
}
