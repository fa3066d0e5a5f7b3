package dev.offcut.agent.rules;

import dev.offcut.agent.Messages;
import dev.offcut.agent.base.concurrent.Arguments;
import dev.offcut.agent.base.concurrent.Instances;
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

  /** Counts them from now on, if a rule asks for them. */
  static void installIfIn(List<Rule> rules, Instrumentation instrumentation) {
    boolean isAsked = false;
    for (Rule rule : rules) {
      isAsked |= rule.root().equals(ROOT);
    }
    if (isAsked) {
      instrumentation.addTransformer(new GeneratedClasses(), true);
    }
  }

  /** Classes to which the JVM refers internally: with these changed it makes no AOT cache. */
  private static final List<String> OF_THE_JVM =
      List.of("java.lang.Thread", "java.lang.ClassLoader");

  private static final String TRAINING =
      "threads and class loaders: not tracked in a training run for an AOT cache: otherwise the JVM"
          + " cannot write the cache";

  /**
   * The other rules, which are about objects. In a training run, without those of the JVM, and
   * {@code problems} then gets a sentence about it.
   */
  static List<Rule> without(List<Rule> rules, List<String> problems) {
    boolean isTraining = Boolean.getBoolean(Arguments.TRAINS);
    List<Rule> others = new ArrayList<>(rules); // without a lambda, which costs the start
    for (int i = others.size() - 1; i >= 0; i--) {
      String root = others.get(i).root();
      if (root.equals(ROOT) || (isTraining && OF_THE_JVM.contains(root))) {
        others.remove(i);
      }
    }
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
    if (redefined == null && loader != null && loader != Watching.OWN) {
      Instances.defined(loader);
    }
    return null;
  }
}
