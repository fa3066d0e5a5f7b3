package dev.offcut.agent.shape;

import static dev.offcut.agent.shape.Summary.DERIVED;
import static dev.offcut.agent.shape.Summary.EMPTY;
import static dev.offcut.agent.shape.Summary.FIELDS;
import static dev.offcut.agent.shape.Summary.FOREIGN;
import static dev.offcut.agent.shape.Summary.NEGATIVE;
import static dev.offcut.agent.shape.Summary.NOT;
import static dev.offcut.agent.shape.Summary.ONE;
import static dev.offcut.agent.shape.Summary.PARAMETERS;
import static dev.offcut.agent.shape.Summary.THIS;
import static dev.offcut.agent.shape.Summary.UNSURE;

import dev.offcut.agent.hooks.code.Opcode;
import dev.offcut.agent.shape.TypeFile.Call;
import dev.offcut.agent.shape.TypeFile.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one call does, in the values of the caller. */
final class CallFlow {
  private static final String ATOMICS = "java/util/concurrent/atomic/";

  private final Flow flow;
  private final boolean isOwn;
  private final int depth;

  /** Whether the caller has a {@code this}. */
  private final boolean hasThis;

  long natives;
  long ended;
  long returns;
  long clears;
  long openIfSet;
  long openIfEmpty;
  long zero;
  long negative;
  long decides;
  long cleaned;
  @Nullable String reached;

  CallFlow(Flow flow, boolean isOwn, int depth, boolean hasThis) {
    this.flow = flow;
    this.isOwn = isOwn;
    this.depth = depth;
    this.hasThis = hasThis;
  }

  boolean reachedEnds() {
    return ended != 0;
  }

  /**
   * Follows a call.
   *
   * @param arguments the object first, if the method has one
   * @param all what they are made of, together
   */
  void call(Call call, long[] arguments, long all) {
    boolean isStatic = call.opcode() == Opcode.INVOKESTATIC;
    boolean onThis = hasThis && isOwn && !isStatic && (arguments[0] & THIS) != 0;
    int given = Types.cleaned(call);
    if (given >= 0 && given < arguments.length) {
      cleaned |= arguments[given] & (THIS | DERIVED);
    }
    if (Types.isFreeMemory(call) || Types.isDowncall(call)) {
      leave(call.name(), all & DERIVED, true);
      return;
    }
    boolean isOfSelf = onThis && call.opcode() != Opcode.INVOKESPECIAL;
    Method method = flow.types.find(isOfSelf ? flow.self : call.owner(), call.name(), call.type());
    if (method == null || method.isAbstract()) {
      unknown(call, method, arguments, all);
    } else if (method.isNative()) {
      leave(method.name, all & (DERIVED | THIS), EndWords.endsNative(method.name));
    } else if (all != 0) {
      take(method, isStatic, onThis, arguments);
    }
  }

  private void leave(String name, long values, boolean ends) {
    natives = values;
    ended = ends ? values : 0;
    reached = name;
    returns = FOREIGN;
  }

  /** A method of the JDK, or one that is abstract. */
  private void unknown(Call call, @Nullable Method method, long[] arguments, long all) {
    if (flow.types.leavesJava(call)) {
      // JNA takes an object that is a pointer as its address.
      leave(call.name(), all & (DERIVED | THIS), EndWords.endsNative(call.name()));
      return;
    }
    if (method != null && flow.types.isNativeBelow(method)) {
      leave(call.name(), all & (DERIVED | THIS), EndWords.endsNative(call.name()));
      return;
    }
    if (method != null && all != 0) {
      List<Method> code = flow.types.implementations(method);
      returns = derived(all, call.type());
      for (Method one : code) {
        take(one, false, false, arguments);
      }
      return;
    }
    returns = derived(all, call.type());
    if (call.owner().startsWith(ATOMICS)) {
      atomic(call, arguments);
    } else if (call.type().endsWith(")Z")) {
      returns |= UNSURE;
    }
  }

  /** An atomic is what it holds. */
  private void atomic(Call call, long[] arguments) {
    switch (call.name()) {
      case "set", "lazySet", "setRelease", "setPlain", "getAndSet" -> clear(arguments);
      case "compareAndSet", "weakCompareAndSet", "weakCompareAndSetPlain" -> {
        clear(arguments);
        returns = arguments[0] & DERIVED;
        returns |= (arguments[1] & EMPTY) != 0 ? NOT : 0;
      }
      case "get", "getAcquire", "getPlain", "intValue", "longValue" -> {}
      default -> returns |= UNSURE;
    }
  }

  private void clear(long[] arguments) {
    if ((arguments[arguments.length - 1] & (EMPTY | ONE)) != 0) {
      clears |= arguments[0] & FIELDS;
    }
  }

  /** What a method that is not known returns: an object that is a pointer stands for itself. */
  private static long derived(long all, String type) {
    int at = type.indexOf(')') + 1;
    char first = type.charAt(at);
    boolean isPointer =
        first == 'J'
            || first == 'I'
            || type.startsWith("Lcom/sun/jna/Pointer", at)
            || type.startsWith("Ljnr/ffi/Pointer;", at)
            || type.startsWith("Ljava/lang/Object;", at)
            || type.startsWith("Ljava/lang/Long;", at)
            || type.startsWith("Ljava/lang/foreign/MemorySegment;", at);
    return isPointer ? all : all & DERIVED;
  }

  private void take(Method method, boolean isStatic, boolean onThis, long[] arguments) {
    Summary its = flow.of(method, onThis, depth + 1);
    natives |= map(its.natives, isStatic, onThis, arguments);
    ended |= map(its.ended, isStatic, onThis, arguments);
    returns |= map(its.returns, isStatic, onThis, arguments);
    cleaned |= map(its.cleaned, isStatic, onThis, arguments);
    openIfSet |= single(its.openIfSet, isStatic, onThis, arguments);
    openIfEmpty |= single(its.openIfEmpty, isStatic, onThis, arguments);
    zero |= single(its.zero, isStatic, onThis, arguments);
    negative |= single(its.negative, isStatic, onThis, arguments);
    if (onThis) {
      clears |= its.clears;
      decides |= its.decides & FIELDS;
    }
    if (natives != 0) {
      reached = its.reached;
    }
  }

  /** Fields of the object stay; a parameter stands for the one field that it was given. */
  private static long single(long values, boolean isStatic, boolean onThis, long[] arguments) {
    long mapped = map(values & PARAMETERS, isStatic, onThis, arguments) & (FIELDS | PARAMETERS);
    return (onThis ? values & FIELDS : 0) | (Long.bitCount(mapped) == 1 ? mapped : 0);
  }

  /** Values of the called method in those of the caller. */
  private static long map(long values, boolean isStatic, boolean onThis, long[] arguments) {
    long mapped = values & (FOREIGN | EMPTY | ONE | NOT | UNSURE | NEGATIVE);
    if ((values & PARAMETERS) != 0) {
      for (int i = 0; i < Math.min(arguments.length, Summary.MOST_PARAMETERS); i++) {
        if ((values & Summary.parameter(i)) != 0) {
          mapped |= arguments[i];
        }
      }
    }
    if ((values & FIELDS) != 0) {
      mapped |= onThis ? values & FIELDS : isStatic ? 0 : arguments[0] & (DERIVED | THIS);
    }
    if ((values & THIS) != 0 && !isStatic) {
      mapped |= arguments[0];
    }
    return mapped;
  }
}
