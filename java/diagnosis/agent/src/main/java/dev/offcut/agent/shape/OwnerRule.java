package dev.offcut.agent.shape;

import dev.offcut.agent.shape.Owner.Ender;
import dev.offcut.agent.shape.Owner.FreedBy;
import dev.offcut.agent.shape.Owner.Guard;
import dev.offcut.agent.shape.Owner.Proof;
import dev.offcut.agent.shape.TypeFile.Call;
import dev.offcut.agent.shape.TypeFile.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The whole look at a class: is it an owner of something native?
 *
 * <p>It is if it has a handle, a field that can be the address or the number of something native;
 * and an <i>ender</i>, a method without parameters from which the handle gets to a native call
 * within seven calls; and if one of these shows that the ender ends it:
 *
 * <pre>
 *   the names of the ender and of the native method both say so
 *   the name of the ender says so, and it clears the handle or a guard
 *   the name of the native method says so, and the ender clears the handle or a guard
 * </pre>
 *
 * <p>Two shapes need no handle that gets from the ender to native code:
 *
 * <pre>
 *   the finalizer calls an ender that reaches native code: so the author says that objects end
 *   the constructor makes a Runnable that reaches a native end, and an ender runs a Runnable
 * </pre>
 *
 * <p>Their objects are told only with bytes.
 *
 * <p>What a cleaner runs, and references, are parts of what the program has: the agent counts
 * registrations with cleaners, and their bytes have lines. A <i>guard</i> is a field whose test
 * decides whether the native call is reached. No name of a class or library is known here. For one
 * thread.
 */
final class OwnerRule {
  /** Methods whose data flow is looked at for a class. */
  private static final int MOST_METHODS = 4_000;

  private final Types types;
  private final Reach reach;

  OwnerRule(Types types) {
    this.types = types;
    reach = new Reach(types);
  }

  /** An ender, and what it does. */
  private record Found(Method method, Proof proof, Summary does, boolean clears) {
    /** The lowest has the one that the program calls, and that decides whether to end. */
    int rank() {
      int rank = method.isNative() ? 16 : 0;
      rank += EndWords.isEnder(method.name) ? 0 : 8;
      rank += does.clears == 0 ? 4 : 0;
      rank += (does.openIfSet | does.openIfEmpty) == 0 ? 2 : 0;
      return rank + (method.isPublic() ? 0 : 1);
    }
  }

  /** Looks at a class, by its internal name; null: it owns nothing. */
  @Nullable Owner look(String name) {
    TypeFile type = types.get(name);
    if (type == null || type.isAbstract || isReference(type)) {
      return null;
    }
    Fields fields = new Fields(types, type);
    Flow flow = new Flow(types, name, fields, fields.handles, MOST_METHODS);
    List<Found> found = fields.handles == 0 ? List.of() : enders(type, fields, flow);
    if (found.isEmpty()) {
      Owner owner = byFinalizer(type);
      return owner != null || fields.handles == 0 ? owner : byAction(type, fields);
    }
    putBestFirst(found);
    List<Guard> guards = guards(found.get(0), fields, flow);
    List<Ender> enders = new ArrayList<>();
    boolean clears = false;
    for (Found one : found) {
      boolean its = clears(one.does, guards, fields);
      clears |= one.clears;
      Method method = one.method;
      String reached = method.isNative() ? null : String.valueOf(one.does.reached);
      enders.add(new Ender(method.of.name, method.name, method.type, one.proof, reached, its));
    }
    FreedBy freedBy = freedBy(type, fields, flow);
    Summary does = found.get(0).does;
    boolean isGuarded = ((does.openIfSet | does.openIfEmpty) & Summary.FIELDS) != 0;
    return new Owner(
        name,
        lineage(type, enders, guards),
        List.copyOf(enders),
        guards,
        freedBy,
        isGuarded || clears || freedBy != FreedBy.NOBODY);
  }

  private @Nullable Owner byFinalizer(TypeFile type) {
    Method finalizer = types.find(type.name, "finalize", "()V");
    if (finalizer == null || finalizer.isAbstract() || finalizer.isNative()) {
      return null;
    }
    for (Call call : types.calls(finalizer)) {
      Method method =
          types.isBelow(type.name, call.owner()) && EndWords.isEnder(call.name())
              ? types.find(type.name, call.name(), call.type())
              : null;
      if (method != null
          && !(method.isStatic() || method.isAbstract() || method.isNative())
          && !method.hasParameters()
          && reach.reaches(type.name, method, Reach.Goal.NATIVE)) {
        Ender ender =
            new Ender(method.of.name, method.name, method.type, Proof.FINALIZER, "", false);
        List<Ender> enders = List.of(ender);
        List<String> lineage = lineage(type, enders, List.of());
        return new Owner(type.name, lineage, enders, List.of(), FreedBy.FINALIZER, false);
      }
    }
    return null;
  }

  private @Nullable Owner byAction(TypeFile type, Fields fields) {
    Fields.Of action = fields.first("Ljava/lang/Runnable;");
    if (action == null || !makesEnd(type)) {
      return null;
    }
    for (TypeFile one = type; one != null; one = types.get(one.above)) {
      for (int i = 0; i < one.methods.size(); i++) {
        Method method = one.methods.get(i);
        if (!method.isStatic() && !method.hasParameters() && EndWords.isEnder(method.name)) {
          types.calls(method);
          if (method.runs && method.writes) {
            List<Ender> enders =
                List.of(new Ender(one.name, method.name, method.type, Proof.ACTION, "", true));
            List<Guard> guards =
                List.of(new Guard(action.owner(), action.name(), action.type(), true, false));
            List<String> lineage = lineage(type, enders, guards);
            return new Owner(type.name, lineage, enders, guards, FreedBy.NOBODY, false);
          }
        }
      }
    }
    return null;
  }

  /** Whether its constructor makes something that gets to a native end: a lambda is a call here. */
  private boolean makesEnd(TypeFile type) {
    for (int i = 0; i < type.methods.size(); i++) {
      Method method = type.methods.get(i);
      if (method.name.equals("<init>") && reach.reaches(type.name, method, Reach.Goal.ENDING)) {
        return true;
      }
    }
    return false;
  }

  /** Whether it is a library's own reference, which its thread ends. */
  private boolean isReference(TypeFile type) {
    TypeFile top = type;
    for (TypeFile up = type; up != null; up = types.get(up.above)) {
      top = up;
    }
    return top.superName.startsWith("java/lang/ref/");
  }

  /** Its guards tell whether an object is open. */
  private static void putBestFirst(List<Found> found) {
    int best = 0;
    for (int i = 1; i < found.size(); i++) {
      best = found.get(i).rank() < found.get(best).rank() ? i : best;
    }
    found.add(0, found.remove(best));
  }

  /** The class itself and those above it, up to the last one that declares an ender or a guard. */
  private List<String> lineage(TypeFile type, List<Ender> enders, List<Guard> guards) {
    Set<String> owners = new HashSet<>();
    for (Ender ender : enders) {
      owners.add(ender.owner());
    }
    for (Guard guard : guards) {
      owners.add(guard.owner());
    }
    List<String> names = new ArrayList<>();
    int last = 0;
    for (TypeFile one = type; one != null; one = types.get(one.above)) {
      names.add(one.name);
      last = owners.contains(one.name) ? names.size() : last;
    }
    return List.copyOf(names.subList(0, Math.max(1, last)));
  }

  /** Whether a class has code for an abstract method that gets to native code. */
  boolean isNative(String name, Types.Asked asked) {
    TypeFile type = types.get(name);
    Method method = type == null ? null : type.method(asked.name(), asked.type());
    return method != null && !method.isAbstract() && reach.reaches(name, method, Reach.Goal.NATIVE);
  }

  private List<Found> enders(TypeFile type, Fields fields, Flow flow) {
    List<Found> found = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (TypeFile one = type; one != null; one = types.get(one.above)) {
      for (int i = 0; i < one.methods.size(); i++) {
        Method method = one.methods.get(i);
        if (method.isStatic()
            || method.isAbstract()
            || method.hasParameters()
            || method.name.startsWith("lambda$")
            || method.name.equals("<init>")
            || !seen.add(method.name + method.type)) {
          continue;
        }
        Found ender = ender(type, method, fields, flow);
        if (ender != null) {
          found.add(ender);
        }
      }
    }
    return found;
  }

  private @Nullable Found ender(TypeFile type, Method method, Fields fields, Flow flow) {
    if (method.name.equals("finalize")) {
      return null;
    }
    boolean isNamed = EndWords.isEnder(method.name);
    if (method.isNative()) {
      return isNamed && fields.hasPointer()
          ? new Found(method, Proof.NAMES, new Summary(), false)
          : null;
    }
    if (!isNamed) {
      types.calls(method);
      if (!method.writes) {
        return null;
      }
    }
    if (!reach.reaches(type.name, method, isNamed ? Reach.Goal.NATIVE : Reach.Goal.ENDING)) {
      return null;
    }
    Summary does = flow.of(method);
    Proof proof = proof(method, does, fields, isNamed);
    return proof == null ? null : new Found(method, proof, does, clears(does, fields));
  }

  private static @Nullable Proof proof(
      Method method, Summary does, Fields fields, boolean isNamed) {
    long direct = does.natives & fields.handles;
    boolean isByThis = (does.natives & Summary.THIS) != 0;
    if (direct == 0 && !isByThis) {
      return null;
    }
    boolean ends = ends(does, fields);
    if (isNamed && ends) {
      return Proof.NAMES;
    }
    if (!clears(does, fields)) {
      return null;
    }
    if (isNamed && (direct == 0 || !isBuffers(direct, fields))) {
      return Proof.NAME_AND_CLEAR;
    }
    if (direct == 0 && !fields.hasPointer(does.clears & fields.handles)) {
      return null; // only its name would say that it is the object that ends
    }
    boolean returnsObject = method.type.charAt(method.type.indexOf(')') + 1) == 'L';
    return ends && !returnsObject ? Proof.NATIVE_AND_CLEAR : null;
  }

  /** Whether a method clears the handle, or a field that decides whether it ends. */
  private static boolean clears(Summary does, Fields fields) {
    long guards = does.openIfSet | does.openIfEmpty | does.decides;
    long relevant = (guards | does.natives) & Summary.FIELDS;
    boolean isByThis = (does.natives & Summary.THIS) != 0;
    return (does.clears & relevant) != 0
        || (isByThis && fields.hasPointer(does.clears & fields.handles));
  }

  private static boolean ends(Summary does, Fields fields) {
    return (does.ended & (fields.handles | Summary.THIS)) != 0;
  }

  /** Buffers are given to natives for other ends, too. */
  private static boolean isBuffers(long direct, Fields fields) {
    for (Fields.Of one : fields.of(direct)) {
      if (!one.isBuffer()) {
        return false;
      }
    }
    return true;
  }

  /** The fields that say whether an object is open: of several handles only for the first one. */
  private List<Guard> guards(Found ender, Fields fields, Flow flow) {
    Summary does = ender.does;
    long direct = does.natives & fields.handles;
    long main = Long.lowestOneBit((does.ended & direct) != 0 ? does.ended & direct : direct);
    if (direct != main) {
      does = new Flow(types, flow.self, fields, main, MOST_METHODS).of(ender.method);
    }
    long set = does.openIfSet & Summary.FIELDS;
    long empty = does.openIfEmpty & Summary.FIELDS;
    Fields.Of handle = fields.first(main);
    if (handle != null && (handle.isPointer() || (does.clears & main) != 0)) {
      set |= main;
    }
    List<Guard> guards = new ArrayList<>();
    for (Fields.Of one : fields.of((set | empty) & ~(set & empty & ~main))) {
      long bit = fields.bit(one.owner(), one.name());
      boolean isSetByZero = (does.negative & ~does.zero & bit) != 0;
      guards.add(new Guard(one.owner(), one.name(), one.type(), (set & bit) != 0, isSetByZero));
    }
    return List.copyOf(guards);
  }

  private static boolean clears(Summary does, List<Guard> guards, Fields fields) {
    for (Guard guard : guards) {
      if ((does.clears & fields.bit(guard.owner(), guard.name())) != 0) {
        return true;
      }
    }
    return false;
  }

  private FreedBy freedBy(TypeFile type, Fields fields, Flow flow) {
    Method finalizer = types.find(type.name, "finalize", "()V");
    if (finalizer != null
        && !finalizer.isAbstract()
        && reach.reaches(type.name, finalizer, Reach.Goal.NATIVE)
        && (finalizer.isNative()
            || (flow.of(finalizer).natives & (fields.handles | Summary.THIS)) != 0)) {
      return FreedBy.FINALIZER;
    }
    for (int i = 0; i < type.methods.size(); i++) {
      Method method = type.methods.get(i);
      if (method.name.equals("<init>")
          && reach.reaches(type.name, method, Reach.Goal.CLEANER)
          && (flow.of(method).cleaned & Summary.THIS) != 0) {
        return FreedBy.CLEANER;
      }
    }
    return FreedBy.NOBODY;
  }
}
