package dev.offcut.leaks;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.util.Random;

/** A generated parser has one huge method, for which the JVM's compiler takes much memory. */
public final class C2Spike {
  private static final int METHODS_OF_FIXED = 10;
  private static final int VARIABLES = 200;
  private static final int STEPS = 190;
  private static final int ROUNDS = 4;
  private static final int ARRAY = 256;
  private static final long SECONDS = 20;

  /** Local variables of the generated method; 0 is `this`. */
  private static final int X = 1;

  private static final int INPUT = 2;
  private static final int ROUND = 3;
  private static final int FIRST = 4;

  private C2Spike() {}

  /** What is generated implements this. */
  interface Parser {
    int parse(int x, int[] input);
  }

  public static void main(String[] args) throws Exception {
    int methods = args[0].equals("fixed") ? METHODS_OF_FIXED : 1;
    Parser[] parsers = new Parser[methods];
    for (int i = 0; i < methods; i++) {
      parsers[i] = generate(VARIABLES / methods, STEPS / methods);
    }
    int[] input = new Random(1).ints(ARRAY).toArray();
    Observer.begin();
    int sum = 0;
    for (long end = System.nanoTime() + SECONDS * 1_000_000_000; System.nanoTime() < end; ) {
      for (int i = 0; i < 1_000; i++) {
        sum += parsers[i % methods].parse(sum + i, input);
      }
    }
    Observer.end();
    System.out.println("sum " + sum);
  }

  private static Parser generate(int variables, int steps) throws Exception {
    byte[] bytes =
        ClassFile.of()
            .build(
                ClassDesc.of("dev.offcut.leaks.GeneratedParser"),
                type ->
                    type.withInterfaceSymbols(Parser.class.describeConstable().orElseThrow())
                        .withMethodBody(
                            ConstantDescs.INIT_NAME,
                            ConstantDescs.MTD_void,
                            ClassFile.ACC_PUBLIC,
                            code ->
                                code.aload(0)
                                    .invokespecial(
                                        ConstantDescs.CD_Object,
                                        ConstantDescs.INIT_NAME,
                                        ConstantDescs.MTD_void)
                                    .return_())
                        .withMethodBody(
                            "parse", // the leak: the compiler's memory for it
                            MethodTypeDesc.ofDescriptor("(I[I)I"),
                            ClassFile.ACC_PUBLIC,
                            code -> parse(code, variables, steps)));
    return (Parser)
        MethodHandles.lookup()
            .defineHiddenClass(bytes, true)
            .lookupClass()
            .getDeclaredConstructor()
            .newInstance();
  }

  /**
   * Rounds of steps {@code if ((x & bit) != 0) { v1 += input[(v2 + step) & 255]; } else { x ^= v2;
   * }} on variables that are in use to the end.
   */
  private static void parse(CodeBuilder code, int variables, int steps) {
    Random random = new Random(1);
    Label again = code.newLabel();
    for (int i = 0; i < variables; i++) {
      code.aload(INPUT).loadConstant(i).iaload().istore(FIRST + i);
    }
    code.iconst_0().istore(ROUND).labelBinding(again);
    for (int i = 0; i < steps; i++) {
      int step = i;
      int to = FIRST + random.nextInt(variables);
      int from = FIRST + random.nextInt(variables);
      code.iload(X).loadConstant(1 << step % 30).iand();
      code.ifThenElse(
          Opcode.IFNE,
          then -> {
            then.iload(to).aload(INPUT).iload(from).loadConstant(step).iadd();
            then.loadConstant(ARRAY - 1).iand().iaload().iadd().istore(to);
          },
          other -> other.iload(X).iload(from).ixor().istore(X));
    }
    code.iinc(ROUND, 1).iload(ROUND).loadConstant(ROUNDS).if_icmplt(again).iload(X);
    for (int i = 0; i < variables; i++) {
      code.iload(FIRST + i).iadd();
    }
    code.ireturn();
  }
}
