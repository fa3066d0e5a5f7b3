package dev.offcut.agent.stream;

import dev.offcut.agent.code.UnknownShapeException;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * The methods of the stream from where it comes to resolve a class, by its own calls. That those
 * which are not private are the known ones is what the memo rests on. {@code defaultReadObject} and
 * {@code readFields} come there through a nested class; what its constructor calls is private.
 */
final class EntryPoints {
  private static final Set<String> KNOWN =
      new TreeSet<>(Set.of("readObject()Ljava/lang/Object;", "readUnshared()Ljava/lang/Object;"));

  private EntryPoints() {}

  static void check(ClassNode stream) throws UnknownShapeException {
    Set<String> reaching =
        new HashSet<>(
            Set.of(
                "readNonProxyDesc(Z)Ljava/io/ObjectStreamClass;",
                "readProxyDesc(Z)Ljava/io/ObjectStreamClass;"));
    Map<String, Set<String>> calls = new HashMap<>();
    for (MethodNode method : stream.methods) {
      calls.put(method.name + method.desc, calls(method));
    }
    boolean more = true;
    while (more) {
      more = false;
      for (Map.Entry<String, Set<String>> method : calls.entrySet()) {
        if (!reaching.contains(method.getKey())
            && !Collections.disjoint(method.getValue(), reaching)) {
          reaching.add(method.getKey());
          more = true;
        }
      }
    }
    Set<String> found = new TreeSet<>();
    for (MethodNode method : stream.methods) {
      if ((method.access & Opcodes.ACC_PRIVATE) == 0
          && reaching.contains(method.name + method.desc)) {
        found.add(method.name + method.desc);
      }
    }
    if (!found.equals(KNOWN)) {
      throw new UnknownShapeException("classes are resolved from " + found);
    }
  }

  private static Set<String> calls(MethodNode method) {
    Set<String> calls = new HashSet<>();
    for (AbstractInsnNode insn : method.instructions) {
      if (insn instanceof MethodInsnNode call && call.owner.equals(StreamClass.NAME)) {
        calls.add(call.name + call.desc);
      }
    }
    return calls;
  }
}
