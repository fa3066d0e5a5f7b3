package dev.offcut.agent.shape;

import static dev.offcut.agent.hooks.code.Opcode.*;
import static dev.offcut.agent.shape.Summary.CONSTANT;
import static dev.offcut.agent.shape.Summary.DERIVED;
import static dev.offcut.agent.shape.Summary.EMPTY;
import static dev.offcut.agent.shape.Summary.FIELDS;
import static dev.offcut.agent.shape.Summary.NEGATIVE;
import static dev.offcut.agent.shape.Summary.NOT;
import static dev.offcut.agent.shape.Summary.ONE;
import static dev.offcut.agent.shape.Summary.PARAMETERS;
import static dev.offcut.agent.shape.Summary.THIS;
import static dev.offcut.agent.shape.Summary.UNSURE;

import dev.offcut.agent.hooks.code.BigEndian;
import dev.offcut.agent.hooks.code.UnknownShapeException;
import dev.offcut.agent.shape.TypeFile.Call;
import dev.offcut.agent.shape.TypeFile.Method;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Locale;

/**
 * Runs the code of a method on sets of bits until nothing changes: a frame, variables and then the
 * stack, for each place that something jumps to. A long or double takes two words, the first of
 * which has its bits.
 */
final class MethodFlow {
  /** Handlers of exceptions: from, to, handler, type. */
  private static final int HANDLER = 8;

  /** What a test may tell. */
  private static final long TESTED = DERIVED | NOT | UNSURE | NEGATIVE;

  private final Flow flow;
  private final Method method;
  private final TypeFile of;
  private final boolean isOwn;
  private final int depth;
  private final Summary to;
  private final byte[] file;
  private final int start;
  private final int length;
  private final Jumps code;

  /** The words of variables; the stack is behind them. */
  private final int locals;

  private final long[][] frames;

  /** How many words of the stack each frame has. */
  private final int[] heights;

  private final BitSet todo = new BitSet();
  private long[] words;

  /** Behind the top of the stack. */
  private int top;

  /** By the place of a test: the fields and parameters that it asks, and what else it compares. */
  private final long[] tested;

  /** Where native code is called with what matters. */
  private final BitSet nativeAt = new BitSet();

  /** Where the constants 0 and 1 are, in a method that returns one of them. */
  private final BitSet trueAt = new BitSet();

  MethodFlow(Flow flow, Method method, boolean isOwn, int depth, Summary to) {
    this.flow = flow;
    this.method = method;
    this.isOwn = isOwn;
    this.depth = depth;
    this.to = to;
    of = method.of;
    file = of.file;
    start = method.code;
    length = method.length;
    code = new Jumps(file, start, length);
    locals = BigEndian.u2(file, start - 6);
    words = new long[locals + BigEndian.u2(file, start - 8) + 4];
    frames = new long[length][];
    heights = new int[length];
    tested = new long[length];
  }

  void run() throws UnknownShapeException {
    int word = 0;
    int index = 0;
    if (!method.isStatic()) {
      words[word++] = THIS;
      index = 1;
    }
    for (int at = 1; method.type.charAt(at) != ')'; at = behind(method.type, at)) {
      words[word] = Summary.parameter(index++);
      word += size(method.type, at);
    }
    top = locals;
    join(0);
    for (int at = todo.nextSetBit(0); at >= 0; at = todo.nextSetBit(0)) {
      todo.clear(at);
      words = frames[at].clone();
      top = heights[at];
      follow(at);
    }
    if (!nativeAt.isEmpty()) {
      decide(nativeAt);
    } else if (isOwn && method.type.endsWith(")Z") && !trueAt.isEmpty()) {
      returnsTest();
    }
  }

  /** Merges the frame into that of a place. */
  private void join(int at) {
    long[] known = frames[at];
    if (known == null) {
      frames[at] = words.clone();
      heights[at] = top;
      todo.set(at);
      return;
    }
    boolean changed = false;
    for (int i = 0; i < top; i++) {
      long both = known[i] | words[i];
      changed |= both != known[i];
      known[i] = both;
    }
    if (changed) {
      todo.set(at);
    }
  }

  private void push(long value) {
    words[top++] = value;
  }

  private void push(long value, int size) {
    words[top++] = value;
    if (size == 2) {
      words[top++] = 0;
    }
  }

  private long pop() {
    return words[--top];
  }

  private long pop(int size) {
    top -= size;
    return words[top];
  }

  /** Follows the code from a place until it joins other code, or ends. */
  private void follow(int from) throws UnknownShapeException {
    boolean moved = true;
    for (int at = from; at < length; at += code.lengthAt(at)) {
      if (at != from && frames[at] != null) {
        join(at);
        return;
      }
      moved = handlers(at, moved);
      int opcode = code.u1(at);
      if (opcode == GOTO || opcode == GOTO_W) {
        join(code.jump(at));
        return;
      }
      if (opcode == TABLESWITCH || opcode == LOOKUPSWITCH) {
        pop();
        joinSwitch(at, opcode);
        return;
      }
      if (ends(opcode)) {
        if (opcode < RETURN) {
          to.returns |= opcode == 173 || opcode == 175 ? pop(2) : pop();
        }
        return;
      }
      if (isTest(opcode)) {
        test(at, opcode);
      } else if (opcode >= GETSTATIC && opcode <= PUTFIELD) {
        field(opcode, code.u2(at + 1));
      } else if (opcode >= INVOKEVIRTUAL && opcode <= INVOKEDYNAMIC) {
        call(opcode, at);
      } else {
        moved |= step(opcode, at);
      }
    }
  }

  /** Whatever is thrown has the variables as they are; whether they still changed since. */
  private boolean handlers(int at, boolean moved) {
    int table = start + length + 2;
    for (int left = BigEndian.u2(file, table - 2); left > 0; left--) {
      int from = BigEndian.u2(file, table);
      if (at >= from && at < BigEndian.u2(file, table + 2) && (moved || at == from)) {
        int height = top;
        long first = words[locals];
        words[locals] = 0;
        top = locals + 1;
        join(BigEndian.u2(file, table + 4));
        words[locals] = first;
        top = height;
      }
      table += HANDLER;
    }
    return false;
  }

  private void joinSwitch(int at, int opcode) {
    for (int target : code.targets(at, opcode)) {
      join(target);
    }
  }

  private void test(int at, int opcode) {
    long value = pop();
    if (opcode >= IF_ICMPEQ && opcode <= IF_ACMPNE) {
      long other = pop();
      boolean isEquality = opcode <= IF_ICMPNE || opcode >= IF_ACMPEQ;
      value = compared(value, other) | (isEquality ? 0 : UNSURE);
    } else if (opcode == IFLT || opcode == IFGE) {
      value |= NEGATIVE;
    }
    tested[at] |= value & TESTED;
    join(code.jump(at));
  }

  private void field(int opcode, int member) {
    String type = of.memberType(member);
    int size = size(type, 0);
    switch (opcode) {
      case GETSTATIC -> {
        boolean isNull = of.memberName(member).toUpperCase(Locale.ROOT).contains("NULL");
        push(isNull ? EMPTY : type.charAt(0) == 'L' ? CONSTANT : 0, size);
      }
      case PUTSTATIC -> top -= size;
      case GETFIELD -> {
        long object = pop();
        push((object & DERIVED) | ((object & THIS) == 0 ? 0 : bit(member)), size);
      }
      default -> {
        long value = pop(size);
        if ((pop() & THIS) != 0 && isClear(value)) {
          to.clears |= bit(member);
        }
      }
    }
  }

  /** Whether a value that is written clears a field. */
  private static boolean isClear(long value) {
    return (value & EMPTY) != 0 || value == ONE || value == CONSTANT;
  }

  private long bit(int member) {
    return isOwn
        ? flow.fields.bit(of.owner(member), of.memberName(member))
        : 1L << Summary.FIRST_FIELD;
  }

  /** An instruction that goes on behind it; whether it wrote to a variable. */
  private boolean step(int opcode, int at) throws UnknownShapeException {
    if (opcode <= LDC2_W) {
      constant(opcode, at);
    } else if (opcode <= ALOAD) {
      load(opcode - ILOAD, code.u1(at + 1));
    } else if (opcode < IALOAD) {
      load((opcode - ILOAD_0) / 4, (opcode - ILOAD_0) % 4);
    } else if (opcode <= SALOAD) {
      pop();
      push(pop() & DERIVED, isWide(opcode - IALOAD) ? 2 : 1);
    } else if (opcode <= ASTORE) {
      return store(opcode - ISTORE, code.u1(at + 1));
    } else if (opcode < IASTORE) {
      return store((opcode - ISTORE_0) / 4, (opcode - ISTORE_0) % 4);
    } else if (opcode <= SASTORE) {
      long value = pop(isWide(opcode - IASTORE) ? 2 : 1);
      pop();
      long array = pop();
      if (isClear(value)) {
        to.clears |= array & FIELDS;
      }
    } else if (opcode <= SWAP) {
      stack(opcode);
    } else if (opcode <= DCMPG) {
      arithmetic(opcode);
    } else {
      return other(opcode, at);
    }
    return false;
  }

  /** Of five kinds in a row, int, long, float, double, reference: whether one has two words. */
  private static boolean isWide(int kind) {
    return kind == 1 || kind == 3;
  }

  private void constant(int opcode, int at) {
    switch (opcode) {
      case 0 -> {}
      case ACONST_NULL -> push(EMPTY);
      case ICONST_M1 -> push(EMPTY | NEGATIVE);
      case ICONST_0 -> push(EMPTY);
      case ICONST_1 -> {
        trueAt.set(at);
        push(ONE);
      }
      case LCONST_0 -> push(EMPTY, 2);
      case LCONST_1, DCONST_0, DCONST_1 -> push(0, 2);
      case LDC2_W -> push(of.isMinusOne(code.u2(at + 1)) ? EMPTY | NEGATIVE : 0, 2);
      default -> push(0);
    }
  }

  private void load(int kind, int variable) {
    push(words[variable], isWide(kind) ? 2 : 1);
  }

  private boolean store(int kind, int variable) {
    words[variable] = pop(isWide(kind) ? 2 : 1);
    if (isWide(kind)) {
      words[variable + 1] = 0;
    }
    return true;
  }

  private void stack(int opcode) {
    switch (opcode) {
      case POP -> top--;
      case POP2 -> top -= 2;
      case SWAP -> {
        long above = words[top - 1];
        words[top - 1] = words[top - 2];
        words[top - 2] = above;
      }
      case DUP -> copy(1, 0);
      case DUP_X1 -> copy(1, 1);
      case DUP_X2 -> copy(1, 2);
      case DUP2 -> copy(2, 0);
      case DUP2_X1 -> copy(2, 1);
      default -> copy(2, 2);
    }
  }

  /** Puts a copy of the words at the top below some more words. */
  private void copy(int count, int below) {
    int from = top - count - below;
    System.arraycopy(words, from, words, from + count, count + below);
    System.arraycopy(words, top, words, from, count);
    top += count;
  }

  private void arithmetic(int opcode) {
    if (opcode == IINC) {
      return;
    }
    if (opcode >= LCMP) {
      int size = opcode == 149 || opcode == 150 ? 1 : 2;
      push(compared(pop(size), pop(size)));
    } else if (opcode >= I2L) {
      int kind = opcode - I2L;
      // From int, long, float and double, three each, to the others; then to smaller ints.
      boolean fromWide = (kind >= 3 && kind <= 5) || (kind >= 9 && kind <= 11);
      boolean toWide = kind == 0 || kind == 2 || kind == 5 || kind == 7 || kind == 8 || kind == 10;
      push(pop(fromWide ? 2 : 1) & TESTED, toWide ? 2 : 1);
    } else {
      int size = opcode % 2 == 1 ? 2 : 1;
      long last = 0;
      if (opcode >= ISHL && opcode <= LUSHR) {
        pop();
      } else if (opcode < INEG || opcode > DNEG) {
        last = pop(size);
      }
      push(((pop(size) | last) & DERIVED) | UNSURE, size);
    }
  }

  /** A comparison is 0 where both are equal. */
  private static long compared(long one, long other) {
    boolean isSure = isEmpty(one) || isEmpty(other);
    return ((one | other) & TESTED) | (isSure ? 0 : UNSURE);
  }

  private static boolean isEmpty(long value) {
    return (value & ~NEGATIVE) == EMPTY;
  }

  private boolean other(int opcode, int at) throws UnknownShapeException {
    switch (opcode) {
      case NEW -> push(0);
      case NEWARRAY, ANEWARRAY, ARRAYLENGTH -> words[top - 1] = 0;
      case INSTANCEOF -> words[top - 1] = (words[top - 1] & DERIVED) | UNSURE;
      case CHECKCAST -> {}
      case 194, MONITOREXIT -> pop();
      case MULTIANEWARRAY -> {
        top -= code.u1(at + 3);
        push(0);
      }
      case WIDE -> {
        int wide = code.u1(at + 1);
        if (wide <= ALOAD) {
          load(wide - ILOAD, code.u2(at + 2));
        } else if (wide <= ASTORE) {
          return store(wide - ISTORE, code.u2(at + 2));
        }
      }
      default -> throw new UnknownShapeException("an instruction " + opcode);
    }
    return false;
  }

  // Calls

  private void call(int opcode, int at) {
    int member = code.u2(at + 1);
    String type = of.memberType(member);
    boolean isStatic = opcode == INVOKESTATIC || opcode == INVOKEDYNAMIC;
    long[] arguments = arguments(type, isStatic);
    long all = 0;
    for (long one : arguments) {
      all |= one;
    }
    all &= THIS | DERIVED;
    CallFlow effect = new CallFlow(flow, isOwn, depth, !method.isStatic());
    if (opcode == INVOKEDYNAMIC) {
      Call target = of.target(member);
      if (target != null && !Types.isOfJdk(target.owner())) {
        effect.call(target, withRest(arguments, target), all);
      }
      effect.returns |= all & DERIVED;
    } else {
      Call named = new Call(opcode, of.owner(member), of.memberName(member), type);
      effect.call(named, arguments, all);
    }
    take(effect, at);
    int returned = type.indexOf(')') + 1;
    if (type.charAt(returned) != 'V') {
      push(effect.returns, size(type, returned));
    }
  }

  /** What a lambda is called with later is not known. */
  private static long[] withRest(long[] captured, Call target) {
    int count = target.opcode() == INVOKESTATIC ? 0 : 1;
    for (int at = 1; target.type().charAt(at) != ')'; at = behind(target.type(), at)) {
      count++;
    }
    return Arrays.copyOf(captured, Math.max(count, captured.length));
  }

  private long[] arguments(String type, boolean isStatic) {
    int count = isStatic ? 0 : 1;
    int all = count;
    for (int at = 1; type.charAt(at) != ')'; at = behind(type, at)) {
      count++;
      all += size(type, at);
    }
    top -= all;
    long[] arguments = new long[count];
    int word = top;
    int index = 0;
    if (!isStatic) {
      arguments[index++] = words[word++];
    }
    for (int at = 1; type.charAt(at) != ')'; at = behind(type, at)) {
      arguments[index++] = words[word];
      word += size(type, at);
    }
    return arguments;
  }

  private void take(CallFlow effect, int at) {
    to.natives |= effect.natives & (DERIVED | THIS);
    to.ended |= effect.ended & (DERIVED | THIS);
    to.clears |= effect.clears;
    to.openIfSet |= effect.openIfSet;
    to.openIfEmpty |= effect.openIfEmpty;
    to.zero |= effect.zero;
    to.negative |= effect.negative;
    to.decides |= effect.decides;
    to.cleaned |= effect.cleaned;
    to.reach(effect.reached, effect.reachedEnds());
    if ((effect.natives & (flow.handles | THIS | PARAMETERS)) != 0) {
      nativeAt.set(at);
    }
  }

  // Guards

  /** Which fields decide whether code gets to one of some places. */
  private void decide(BitSet goals) throws UnknownShapeException {
    for (int at = 0; at < length; at++) {
      long value = tested[at];
      long fields = value & (FIELDS | PARAMETERS);
      if (fields == 0) {
        continue;
      }
      int side = code.side(at, goals);
      if (side == 0) {
        continue;
      }
      if ((value & UNSURE) != 0 || Long.bitCount(fields) != 1) {
        to.decides |= fields;
        continue;
      }
      if ((value & NEGATIVE) != 0) {
        to.negative |= fields;
      } else {
        to.zero |= fields;
      }
      if (((side > 0) == goesOnIfSet(code.u1(at))) == ((value & NOT) == 0)) {
        to.openIfSet |= fields;
      } else {
        to.openIfEmpty |= fields;
      }
    }
  }

  /** Whether a test goes on behind itself where what it tests is not empty. */
  private static boolean goesOnIfSet(int opcode) {
    return switch (opcode) {
      case IFEQ, IFLT, IFLE, IF_ICMPEQ, IF_ACMPEQ, IFNULL -> true;
      default -> false;
    };
  }

  /** A method that returns whether a field is set is as good as the field. */
  private void returnsTest() throws UnknownShapeException {
    if (to.returns != (EMPTY | ONE) || (to.openIfSet | to.openIfEmpty | to.decides) != 0) {
      return;
    }
    decide(trueAt);
    long fields = to.openIfSet | to.openIfEmpty;
    boolean isSure = to.decides == 0 && Long.bitCount(fields) == 1;
    if ((fields | to.decides) != 0) {
      to.returns = fields | to.decides | (isSure ? (to.openIfEmpty == 0 ? 0 : NOT) : UNSURE);
      to.returns |= isSure && to.zero == 0 ? NEGATIVE : 0;
    }
    to.openIfSet = 0;
    to.openIfEmpty = 0;
    to.decides = 0;
  }

  // Descriptors

  /** Behind the type at a place of a descriptor. */
  static int behind(String type, int from) {
    int at = from;
    while (type.charAt(at) == '[') {
      at++;
    }
    return type.charAt(at) == 'L' ? type.indexOf(';', at) + 1 : at + 1;
  }

  /** How many words the type at a place takes. */
  static int size(String type, int at) {
    char first = type.charAt(at);
    return first == 'J' || first == 'D' ? 2 : 1;
  }
}
