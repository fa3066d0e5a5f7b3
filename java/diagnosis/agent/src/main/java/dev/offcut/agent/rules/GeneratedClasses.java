package dev.offcut.agent.rules;

import dev.offcut.agent.Messages;
import dev.offcut.agent.base.concurrent.Arguments;
import dev.offcut.agent.base.concurrent.Instances;
import dev.offcut.agent.hooks.Patch;
import dev.offcut.agent.hooks.code.Code;
import dev.offcut.agent.hooks.code.Insns;
import dev.offcut.agent.hooks.code.Opcode;
import dev.offcut.agent.hooks.code.UnknownShapeException;
import dev.offcut.rules.Rule;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts the classes that code makes while a program runs, by the line that makes them. They are
 * not rewritten.
 */
final class GeneratedClasses implements ClassFileTransformer {
  private static final String ROOT = "java.lang.Class";

  /** The JDK's class that defines classes for a lookup, hidden ones among them. */
  private static final String DEFINER = "java/lang/invoke/MethodHandles$Lookup$ClassDefiner";

  private final List<String> problems;

  private GeneratedClasses(List<String> problems) {
    this.problems = problems;
  }

  /**
   * Counts them from now on, if a rule asks for them. The class that is returned has to be
   * rewritten; null: none.
   */
  static @Nullable Class<?> installIfIn(
      List<Rule> rules, Instrumentation instrumentation, List<String> problems) {
    if (rules.stream().noneMatch(rule -> rule.root().equals(ROOT))) {
      return null;
    }
    instrumentation.addTransformer(new GeneratedClasses(problems), true);
    try {
      return Class.forName(DEFINER.replace('/', '.'), false, null);
    } catch (ClassNotFoundException e) {
      problems.add(UNKNOWN + e + ")");
      return null;
    }
  }

  /** Classes to which the JVM refers internally: with these changed it makes no AOT cache. */
  private static final List<String> OF_THE_JVM =
      List.of("java.lang.Thread", "java.lang.ClassLoader");

  private static final String UNKNOWN = "hidden classes: not tracked on this JDK (";

  private static final String TRAINING =
      "threads and class loaders: not tracked in a training run for an AOT cache: otherwise the JVM"
          + " cannot write the cache";

  /**
   * The other rules, which are about objects. In a training run, without those of the JVM, and
   * {@code problems} then gets a sentence about it.
   */
  static List<Rule> without(List<Rule> rules, List<String> problems) {
    boolean isTraining = Boolean.getBoolean(Arguments.TRAINS);
    List<Rule> others = new ArrayList<>(rules);
    others.removeIf(
        rule -> rule.root().equals(ROOT) || (isTraining && OF_THE_JVM.contains(rule.root())));
    if (isTraining) {
      problems.add(TRAINING);
      Messages.say(TRAINING);
    }
    return others;
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] file) {
    if (DEFINER.equals(name)) {
      return definer(file);
    }
    if (redefined == null && loader != null && loader != Watching.OWN) {
      Instances.defined(loader);
    }
    return null;
  }

  private byte @Nullable [] definer(byte[] file) {
    try {
      Patch patch = new Patch(file);
      Code define = patch.method("defineClass", "(ZLjava/lang/Object;)Ljava/lang/Class;");
      define.insert(
          patch.place(define, Opcode.ARETURN, "defineClass returns"),
          Patch.join(
              Insns.of(Opcode.DUP),
              patch.call(WatchedCode.INSTANCES, "hidden", "(Ljava/lang/Class;)V")),
          1);
      return patch.toBytes();
    } catch (UnknownShapeException e) {
      problems.add(UNKNOWN + e.getMessage() + ")");
      return null;
    }
  }
}
