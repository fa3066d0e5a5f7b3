package dev.offcut.bench.replay;

import dev.offcut.bench.child.Child;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import javax.management.JMException;

/**
 * Example2 of JDK-8198423 as a real program: loaders with one small class each, all but the
 * survivors dropped and unloaded, then large classes in one loader until the JVM has no class space
 * left. Its size is an option of the JVM, which rounds it up to what its design needs.
 *
 * <p>Argument: every so-manieth small loader survives; 0: none.
 */
final class JdkExample2 {
  private static final int SMALL_LOADERS = 3000;
  private static final int LARGE_METHODS = 300;

  /** A machine that does not unload is not waited for for ever. */
  private static final int COLLECTIONS = 20;

  /** A loader whose classes are given to it. */
  private static final class Loader extends ClassLoader {
    Loader() {
      super(JdkExample2.class.getClassLoader());
    }

    void define(ClassTemplate template, int number) {
      byte[] file = template.number(number);
      defineClass(ClassTemplate.name(number), file, 0, file.length);
    }
  }

  /** The small loaders that are not dropped. In a static field, so that the JVM sees them used. */
  private static final List<Loader> HELD = new ArrayList<>();

  private JdkExample2() {}

  public static void main(String[] args) throws JMException {
    ClassTemplate large = ClassTemplate.withMethods(LARGE_METHODS);
    ClassSpaceUse.askHandedOut(); // what it needs is loaded while there is room
    load(ClassTemplate.withMethods(0));
    drop(Integer.parseInt(args[0]));
    int classes = large(large);
    ClassSpaceUse use = ClassSpaceUse.now();
    Child.figure("large_classes", classes, "count");
    Child.figure("handed_out_percent", use.handedOutPercent(), "%");
    Child.figure("used_percent", use.usedPercent(), "%");
    Child.figure("class_space_bytes", use.reservedBytes(), "B");
  }

  private static void load(ClassTemplate template) {
    for (int i = 0; i < SMALL_LOADERS; i++) {
      Loader loader = new Loader();
      loader.define(template, 0);
      HELD.add(loader);
    }
  }

  /** Keeps every so-manieth small loader, and sees the others unloaded. */
  private static void drop(int every) {
    ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
    long before = classes.getUnloadedClassCount();
    List<Loader> survivors = new ArrayList<>();
    for (int i = every; every > 0 && i <= HELD.size(); i += every) {
      survivors.add(HELD.get(i - 1));
    }
    int dropped = HELD.size() - survivors.size();
    HELD.clear();
    HELD.addAll(survivors);
    for (int i = 0; classes.getUnloadedClassCount() - before < dropped; i++) {
      if (i == COLLECTIONS) {
        throw new IllegalStateException("the JVM did not unload " + dropped + " classes");
      }
      System.gc();
    }
  }

  private static int large(ClassTemplate template) {
    Loader loader = new Loader();
    int count = 0;
    try {
      while (true) {
        loader.define(template, count);
        count++;
      }
    } catch (OutOfMemoryError e) {
      if (!"Compressed class space".equals(e.getMessage())) {
        throw e;
      }
      return count;
    }
  }
}
