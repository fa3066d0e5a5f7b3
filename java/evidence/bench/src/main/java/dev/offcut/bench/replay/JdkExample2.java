package dev.offcut.bench.replay;

import dev.offcut.bench.child.Child;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

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

  /** A class file whose class can be given any of a million names without being made anew. */
  static final class ClassTemplate {
    private static final String NAME = "C000000";

    private final byte[] file;
    private final int nameAt;

    private ClassTemplate(byte[] file) {
      this.file = file;
      this.nameAt = indexOf(NAME.getBytes(StandardCharsets.US_ASCII), file);
    }

    /** A public class with so many public methods that do nothing. */
    static ClassTemplate withMethods(int count) {
      return new ClassTemplate(
          ClassFile.of()
              .build(
                  ClassDesc.of(NAME),
                  of -> {
                    of.withFlags(ClassFile.ACC_PUBLIC);
                    for (int i = 0; i < count; i++) {
                      of.withMethodBody(
                          "method" + i,
                          ConstantDescs.MTD_void,
                          ClassFile.ACC_PUBLIC,
                          code -> code.return_());
                    }
                  }));
    }

    /** The class file of class {@code number}, with its {@link #name}. */
    byte[] number(int number) {
      byte[] copy = file.clone();
      byte[] name = name(number).getBytes(StandardCharsets.US_ASCII);
      System.arraycopy(name, 0, copy, nameAt, name.length);
      return copy;
    }

    static String name(int number) {
      return String.format(Locale.ROOT, "C%06d", number);
    }

    private static int indexOf(byte[] part, byte[] whole) {
      for (int at = 0; at + part.length <= whole.length; at++) {
        if (Arrays.equals(whole, at, at + part.length, part, 0, part.length)) {
          return at;
        }
      }
      throw new IllegalStateException("a class file without its class's name");
    }
  }

  /**
   * How the class space of this JVM is used.
   *
   * @param reservedBytes as the JVM has rounded it
   * @param handedOutBytes in chunks of class loaders
   * @param usedBytes in those chunks
   */
  record ClassSpaceUse(long reservedBytes, long handedOutBytes, long usedBytes) {
    private static final String POOL = "Compressed Class Space";
    private static final Pattern CAPACITY =
        Pattern.compile("\\sClass: +\\d+ chunks?, +([0-9.]+) KB capacity");

    static ClassSpaceUse now() throws JMException {
      MemoryPoolMXBean pool =
          ManagementFactory.getMemoryPoolMXBeans().stream()
              .filter(each -> each.getName().equals(POOL))
              .findFirst()
              .orElseThrow(
                  () -> new IllegalStateException("this JVM has no compressed class space"));
      MemoryUsage usage = pool.getUsage();
      return new ClassSpaceUse(usage.getMax(), askHandedOut(), usage.getUsed());
    }

    double handedOutPercent() {
      return 100.0 * handedOutBytes / reservedBytes;
    }

    double usedPercent() {
      return 100.0 * usedBytes / reservedBytes;
    }

    /** No management bean has it, but what {@code jcmd VM.metaspace} prints does. */
    static long askHandedOut() throws JMException {
      Object text =
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  "vmMetaspace",
                  new Object[] {new String[] {"scale=KB"}},
                  new String[] {String[].class.getName()});
      Matcher capacity = CAPACITY.matcher(String.valueOf(text));
      if (!capacity.find()) {
        throw new IllegalStateException("VM.metaspace says no capacity: " + text);
      }
      return Math.round(Double.parseDouble(capacity.group(1)) * 1024);
    }
  }
}
