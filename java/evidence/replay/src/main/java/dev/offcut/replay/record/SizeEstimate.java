package dev.offcut.replay.record;

import dev.offcut.replay.trace.Op.ClassMemory;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.reflect.AccessFlag;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How much memory a JVM takes for a class, by its class file and those above it: about what a JDK
 * 25 takes on 64 bits. Not seen is what comes with running: profiles of methods, above all.
 */
final class SizeEstimate {
  /** A class in class space without its table of virtual methods. */
  private static final int CLASS_WORDS = 61;

  /** For each interface the place and the entries of its table, about. */
  private static final int INTERFACE_TABLE_WORDS = 4;

  /** Constant pool, arrays of methods and fields, without their elements. */
  private static final int BASE_WORDS = 40;

  /** What a field or method reference is resolved to. */
  private static final int RESOLVED_WORDS = 3;

  /** The changing and the unchanging part of a method, without its code. */
  private static final int METHOD_WORDS = 19;

  /** A line number, compressed: mostly one byte, at times more. */
  private static final int LINE_BYTES = 1;

  /** A frame of the verifier's: one byte to several tens. */
  private static final int FRAME_BYTES = 5;

  /** Annotations, fields and the like of a class have so many blocks, about. */
  private static final int BASE_BLOCKS = 4;

  private static final int BLOCKS_OF_METHOD = 2;

  private final ClassFiles files;

  /** By class: the methods in its table of virtual ones, by name and type. */
  private final Map<String, Set<String>> virtualMethods = new HashMap<>();

  SizeEstimate(ClassFiles files) {
    this.files = files;
  }

  /** The memory of a class by its name; null if no class file can be read. */
  @Nullable ClassMemory of(String className) {
    ClassModel type = read(className);
    if (type == null) {
      return null;
    }
    boolean isInterface = type.flags().has(AccessFlag.INTERFACE);
    long inClassSpace = CLASS_WORDS + (long) INTERFACE_TABLE_WORDS * type.interfaces().size();
    inClassSpace += isInterface ? 0 : virtualMethods(className, type).size();
    long elsewhere = BASE_WORDS + pool(type) + 2L * type.fields().size();
    for (MethodModel method : type.methods()) {
      elsewhere += METHOD_WORDS + Math.ceilDiv(codeBytes(method), Long.BYTES);
    }
    int blocks = BASE_BLOCKS + BLOCKS_OF_METHOD * type.methods().size();
    return new ClassMemory(inClassSpace, elsewhere, blocks);
  }

  private @Nullable ClassModel read(String className) {
    byte[] file = files.find(className);
    try {
      return file == null ? null : ClassFile.of().parse(file);
    } catch (IllegalArgumentException e) {
      return null; // not a class file: as if there were none
    }
  }

  /** Those above it, where they are found, and its own; one that overrides takes no new place. */
  private Set<String> virtualMethods(String className, ClassModel type) {
    Set<String> known = virtualMethods.get(className);
    if (known != null) {
      return known;
    }
    Set<String> all = new HashSet<>();
    type.superclass()
        .ifPresent(above -> all.addAll(virtualMethods(above.asInternalName().replace('/', '.'))));
    for (MethodModel method : type.methods()) {
      if (isVirtual(method)) {
        all.add(method.methodName().stringValue() + method.methodType().stringValue());
      }
    }
    virtualMethods.put(className, all);
    return all;
  }

  private Set<String> virtualMethods(String className) {
    ClassModel type = read(className);
    return type == null ? Set.of() : virtualMethods(className, type);
  }

  private static boolean isVirtual(MethodModel method) {
    return !method.flags().has(AccessFlag.STATIC)
        && !method.flags().has(AccessFlag.PRIVATE)
        && !method.methodName().equalsString("<init>");
  }

  /** A word and the byte of its kind for each entry; references once more, for when resolved. */
  private static long pool(ClassModel type) {
    long entries = type.constantPool().size();
    long references = 0;
    for (PoolEntry entry : type.constantPool()) {
      references += entry instanceof MemberRefEntry ? 1 : 0;
    }
    return entries + Math.ceilDiv(entries, Long.BYTES) + RESOLVED_WORDS * references;
  }

  /** The code, and the tables with it that are kept. */
  private static int codeBytes(MethodModel method) {
    return method
        .findAttribute(Attributes.code())
        .map(code -> code.codeLength() + LINE_BYTES * lines(code) + FRAME_BYTES * frames(code))
        .orElse(0);
  }

  private static int lines(CodeAttribute code) {
    return code.findAttribute(Attributes.lineNumberTable())
        .map(table -> table.lineNumbers().size())
        .orElse(0);
  }

  private static int frames(CodeAttribute code) {
    return code.findAttribute(Attributes.stackMapTable())
        .map(table -> table.entries().size())
        .orElse(0);
  }

  /** The estimated memory of classes; one without a class file counts as the mean of those with. */
  static final class SizedClasses {
    /** Where not one class file was found: about the mean of the JDK's own classes. */
    private static final ClassMemory TYPICAL = new ClassMemory(80, 600, 40);

    private final Map<Recording.Defined, ClassMemory> found = new HashMap<>();
    private final ClassMemory mean;

    SizedClasses(List<Recording.Event> events, ClassFiles files) {
      SizeEstimate estimate = new SizeEstimate(files);
      for (Recording.Event event : events) {
        if (event instanceof Recording.Defined defined && !defined.hidden()) {
          ClassMemory memory = estimate.of(defined.className());
          if (memory != null) {
            found.put(defined, memory);
          }
        }
      }
      this.mean = mean();
    }

    private ClassMemory mean() {
      int count = found.size();
      if (count == 0) {
        return TYPICAL;
      }
      long inClassSpace = found.values().stream().mapToLong(ClassMemory::classWords).sum();
      long elsewhere = found.values().stream().mapToLong(ClassMemory::nonClassWords).sum();
      long blocks = found.values().stream().mapToLong(ClassMemory::nonClassBlocks).sum();
      return new ClassMemory(inClassSpace / count, elsewhere / count, (int) (blocks / count));
    }

    boolean isFound(Recording.Defined defined) {
      return found.containsKey(defined);
    }

    ClassMemory of(Recording.Defined defined) {
      return found.getOrDefault(defined, mean);
    }

    /** Of a class of which nothing is known. */
    ClassMemory ofUnknown() {
      return mean;
    }
  }
}
