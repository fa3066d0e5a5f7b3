package dev.offcut.retrofit.stream;

import dev.offcut.agent.hooks.code.Calls;
import dev.offcut.agent.hooks.code.Calls.Call;
import dev.offcut.agent.hooks.code.ClassFile;
import dev.offcut.agent.hooks.code.Member;
import dev.offcut.agent.hooks.code.UnknownShapeException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The methods of the stream from where it comes to resolve a class, by its own calls. That those
 * which are not private are the known ones is what the memo rests on. {@code defaultReadObject} and
 * {@code readFields} come there through a nested class; what its constructor calls is private.
 */
final class EntryPoints {
  private static final Set<String> KNOWN =
      Set.of("readObject()Ljava/lang/Object;", "readUnshared()Ljava/lang/Object;");

  private EntryPoints() {}

  static void check(ClassFile stream, Calls calls) throws UnknownShapeException {
    Set<String> reaching = new HashSet<>();
    reaching.add("readNonProxyDesc(Z)Ljava/io/ObjectStreamClass;");
    reaching.add("readProxyDesc(Z)Ljava/io/ObjectStreamClass;");
    List<Call> left = new ArrayList<>();
    Map<Integer, String> called = new HashMap<>();
    for (Call call : calls.all()) {
      if (!called.containsKey(call.called())) {
        called.put(call.called(), calls.ownMethod(call, StreamClass.NAME));
      }
      if (!called.getOrDefault(call.called(), "").isEmpty()) {
        left.add(call);
      }
    }
    boolean more = true;
    while (more) {
      more = false;
      for (Call call : left) {
        more |=
            reaching.contains(called.getOrDefault(call.called(), ""))
                && reaching.add(key(call.method()));
      }
    }
    Set<String> found = new TreeSet<>();
    for (Member method : stream.methods()) {
      if ((method.access & Member.PRIVATE) == 0 && reaching.contains(key(method))) {
        found.add(key(method));
      }
    }
    if (!found.equals(KNOWN)) {
      throw new UnknownShapeException("classes are resolved from " + found);
    }
  }

  private static String key(Member method) {
    return method.name() + method.type();
  }
}
