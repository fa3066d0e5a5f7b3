package dev.offcut.agent.shape;

import dev.offcut.agent.hooks.code.Opcode;
import dev.offcut.agent.shape.TypeFile.Call;
import dev.offcut.agent.shape.TypeFile.Method;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether a method gets to native code within a few calls. Only instructions that call are read, so
 * most methods are told apart before their data flow is looked at. For one thread.
 */
final class Reach {
  /** Calls between a method and the native one. */
  static final int MOST_CALLS = 7;

  /** A search that is longer ends as if it had found something. */
  private static final int MOST_METHODS = 2_000;

  private final Types types;
  private int visits;

  Reach(Types types) {
    this.types = types;
  }

  /** What is searched for. */
  enum Goal {
    NATIVE,
    /** Native code whose name says that it ends something. */
    ENDING,
    /** A cleaner, or the constructor of a phantom reference. */
    CLEANER;

    private boolean isNative(String name) {
      return this == NATIVE || (this == ENDING && EndWords.endsNative(name));
    }
  }

  /** Whether a method of objects of a class reaches it. */
  boolean reaches(String self, Method method, Goal goal) {
    if (method.isNative()) {
      return goal.isNative(method.name);
    }
    visits++;
    Deque<Method> now = new ArrayDeque<>();
    Deque<Method> next = new ArrayDeque<>();
    now.add(method);
    method.visit = visits;
    int count = 0;
    for (int depth = 0; depth <= MOST_CALLS && !now.isEmpty(); depth++) {
      for (Method one = now.poll(); one != null; one = now.poll()) {
        count++;
        if (count > MOST_METHODS || calls(self, one, goal, next)) {
          return true;
        }
      }
      Deque<Method> empty = now;
      now = next;
      next = empty;
    }
    return false;
  }

  private boolean calls(String self, Method method, Goal goal, Deque<Method> next) {
    List<Call> calls = types.calls(method);
    if (goal == Goal.CLEANER && method.cleans) {
      return true;
    }
    for (int i = 0; i < calls.size(); i++) {
      Call call = calls.get(i);
      if (method.callsOut && types.leavesJava(call)) {
        if (goal.isNative(call.name()) || (goal == Goal.ENDING && Types.isDowncall(call))) {
          return true;
        }
        continue;
      }
      boolean isVirtual =
          call.opcode() != Opcode.INVOKESTATIC && call.opcode() != Opcode.INVOKESPECIAL;
      if (isVirtual
          && types.isBelow(self, call.owner())
          && step(types.find(self, call.name(), call.type()), goal, next)) {
        return true;
      }
      if (step(types.find(call.owner(), call.name(), call.type()), goal, next)) {
        return true;
      }
    }
    return false;
  }

  private boolean step(@Nullable Method method, Goal goal, Deque<Method> next) {
    if (method == null || method.visit == visits) {
      return false;
    }
    method.visit = visits;
    if (method.isNative() || (method.isAbstract() && types.isNativeBelow(method))) {
      return goal.isNative(method.name);
    }
    if (!method.isAbstract()) {
      next.add(method);
      return false;
    }
    for (Method one : types.implementations(method)) {
      if (step(one, goal, next)) {
        return true;
      }
    }
    return false;
  }
}
