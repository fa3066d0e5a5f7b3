package dev.offcut.agent.rules;

import dev.offcut.rules.Rule;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The classes that were loaded before the agent looked: which of them rules count. */
final class LoadedClasses {
  /** The agent's jar brings no rules. */
  private static final ProtectionDomain OWN_DOMAIN = Watching.class.getProtectionDomain();

  private final Instrumentation instrumentation;
  private final Watching watching;

  /** Rules of jars; null: nobody asked for them. */
  private final @Nullable JarRules jars;

  LoadedClasses(Instrumentation instrumentation, Watching watching, @Nullable JarRules jars) {
    this.instrumentation = instrumentation;
    this.watching = watching;
    this.jars = jars;
  }

  /**
   * Those of the loaded classes that a rule counts, to be rewritten.
   *
   * @param all those of the JVM
   * @param again only what rules of jars are about
   */
  List<Class<?>> among(Class<?>[] all, boolean again) {
    lookInto(all);
    List<Class<?>> found = new ArrayList<>();
    for (Class<?> one : all) {
      Rule rule = watching.isNear(one) ? watching.of(one).rule() : null;
      if (rule == null || (again && (rule.isOfUser() || rule.isBuiltIn()))) {
        continue;
      }
      if (instrumentation.isModifiableClass(one)) {
        found.add(one);
      } else {
        watching.leaveOutHidden(rule, one);
      }
    }
    return found;
  }

  /** First: a jar may bring rules for any of the classes. */
  private void lookInto(Class<?>[] classes) {
    if (jars == null) {
      return;
    }
    for (Class<?> loaded : classes) {
      if (!Watching.isOfJdk(loaded.getClassLoader())) {
        ProtectionDomain domain = loaded.getProtectionDomain();
        if (domain != OWN_DOMAIN) {
          jars.look(domain);
        }
      }
    }
  }
}
