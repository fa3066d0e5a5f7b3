package dev.offcut.agent.stream;

import dev.offcut.agent.code.Call;
import dev.offcut.agent.code.Calls;
import dev.offcut.agent.code.ClassFile;
import dev.offcut.agent.code.Insns;
import dev.offcut.agent.code.Member;
import dev.offcut.agent.code.UnknownShapeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A class of the JDK whose readObject reads the elements one by one. In the rewritten one they are
 * read as parts of the object. Only calls change, so that a loaded class can be rewritten, too.
 */
final class CollectionClass {
  /** How many calls of readObject each has, on JDK 17 and on JDK 25. */
  static final Map<String, Integer> CALLS =
      Map.ofEntries(
          Map.entry("java/util/ArrayDeque", 1),
          Map.entry("java/util/ArrayList", 1),
          Map.entry("java/util/CollSer", 1),
          Map.entry("java/util/EnumMap", 2),
          Map.entry("java/util/HashMap", 2),
          Map.entry("java/util/HashSet", 1),
          Map.entry("java/util/Hashtable", 2),
          Map.entry("java/util/IdentityHashMap", 2),
          Map.entry("java/util/LinkedList", 1),
          Map.entry("java/util/PriorityQueue", 1),
          Map.entry("java/util/TreeMap", 2),
          Map.entry("java/util/TreeSet", 1),
          Map.entry("java/util/concurrent/ConcurrentHashMap", 2),
          Map.entry("java/util/concurrent/ConcurrentLinkedQueue", 1),
          Map.entry("java/util/concurrent/ConcurrentSkipListMap", 2),
          Map.entry("java/util/concurrent/CopyOnWriteArrayList", 1),
          Map.entry("java/util/concurrent/LinkedBlockingQueue", 1));

  private static final String READ = "()Ljava/lang/Object;";
  private static final String STREAM = "L" + StreamClass.NAME + ";";

  private CollectionClass() {}

  /** The class file of the rewritten class. */
  static byte[] rewrite(String name, byte[] file) throws UnknownShapeException {
    ClassFile type = ClassFile.read(file);
    List<Call> reads =
        new Calls(type, readers(type))
            .of(Insns.INVOKEVIRTUAL, StreamClass.NAME, "readObject", READ);
    Integer known = CALLS.get(name);
    if (known == null || reads.size() != known) {
      throw new UnknownShapeException("it reads elements in " + reads.size() + " places");
    }
    int helper =
        type.constants()
            .addMethod(
                StreamClass.ENTRIES,
                "readElement",
                "(" + STREAM + "Ljava/lang/Object;)Ljava/lang/Object;");
    // The last one first: each moves what is behind it.
    for (int i = reads.size() - 1; i >= 0; i--) {
      Call read = reads.get(i);
      // What the program can call itself is no part of reading the object.
      if ((read.method().access & (Member.PUBLIC | Member.PROTECTED)) != 0) {
        throw new UnknownShapeException("it reads elements in " + read.method().name());
      }
      read.method().code().callWithThis(read.at(), helper);
    }
    return type.toBytes();
  }

  /** The methods of an object that are given a stream. */
  private static List<Member> readers(ClassFile type) {
    List<Member> readers = new ArrayList<>();
    for (Member method : type.methods()) {
      if ((method.access & Member.STATIC) == 0 && method.type().contains(STREAM)) {
        readers.add(method);
      }
    }
    return readers;
  }
}
