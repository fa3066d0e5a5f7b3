package dev.offcut.agent.rules;

import dev.offcut.rules.Rule;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The classes that were loaded before the agent looked: which of them rules count. */
final class LoadedClasses {
  /** The agent's jar brings no rules. */
  private static final ProtectionDomain OWN_DOMAIN = ownDomain();

  private final Instrumentation instrumentation;
  private final Watching watching;

  /** Rules of jars; null: nobody asked for them. */
  private final @Nullable JarRules jars;

  /** A class that no rule names, to be rewritten as well; null: none. */
  private @Nullable Class<?> other;

  /** By internal name: what {@link #earlier} finds. */
  private final Map<String, Class<?>> early = new ConcurrentHashMap<>();

  LoadedClasses(Instrumentation instrumentation, Watching watching, @Nullable JarRules jars) {
    this.instrumentation = instrumentation;
    this.watching = watching;
    this.jars = jars;
  }

  /** That of the agent's jar. Classes that the agent's loader defines have none of a place. */
  private static ProtectionDomain ownDomain() {
    ProtectionDomain own = Watching.class.getProtectionDomain();
    return Parents.place(own) == null && Watching.OWN != null
        ? Watching.OWN.getClass().getProtectionDomain()
        : own;
  }

  /** One more to be rewritten with the first of them; null: none. */
  void add(@Nullable Class<?> other) {
    this.other = other;
  }

  /**
   * Those of the loaded classes that a rule counts, to be rewritten.
   *
   * <p>A class of the JDK that a rule counts is one that a rule names, or is below such a class. So
   * as long as no rule names interfaces that the boot loader has, of the others nothing but the
   * name is asked. {@link #earlier} finds one if a class of the program extends it.
   *
   * @param all those of the JVM
   * @param again only what rules of jars are about
   */
  List<Class<?>> among(Class<?>[] all, boolean again) {
    if (jars != null) {
      lookInto(jars, all);
    }
    boolean asksAll = watching.readsInterfaces(); // by now: a jar may have brought rules
    List<Class<?>> near = new ArrayList<>();
    List<Class<?>> named = new ArrayList<>();
    for (Class<?> one : all) {
      if (isNear(one)) {
        near.add(one);
        if (one.getClassLoader() == null && watching.isNamed(one)) {
          named.add(one);
        }
      }
    }
    if (!again) {
      keepEarlier(asksAll ? List.of() : near);
    }
    List<Class<?>> found = new ArrayList<>();
    for (Class<?> one : near) {
      if (one.getClassLoader() == null && !asksAll && !isBelow(one, named)) {
        continue;
      }
      Rule rule = watching.of(one).rule();
      if (rule == null || (again && (rule.isOfUser() || rule.isBuiltIn()))) {
        continue;
      }
      if (instrumentation.isModifiableClass(one)) {
        found.add(one);
      } else {
        watching.leaveOutHidden(rule, one);
      }
    }
    if (other != null && !again) {
      found.add(other);
    }
    return found;
  }

  private void keepEarlier(List<Class<?>> near) {
    for (Class<?> one : near) {
      if (one.getClassLoader() == null) {
        early.put(Watching.internal(one.getName()), one);
      }
    }
  }

  /**
   * A class of the boot loader, in a package that has classes of rules, that was loaded before the
   * agent looked; null: none of that name. The JVM keeps those for ever.
   */
  @Nullable Class<?> earlier(String name) {
    return early.get(name);
  }

  private static boolean isBelow(Class<?> one, List<Class<?>> above) {
    for (Class<?> up : above) {
      if (up.isAssignableFrom(one)) {
        return true;
      }
    }
    return false;
  }

  private static void lookInto(JarRules jars, Class<?>[] classes) {
    for (Class<?> loaded : classes) {
      ClassLoader loader = loaded.getClassLoader();
      if (loader != Watching.OWN && !Watching.isOfJdk(loader)) {
        ProtectionDomain domain = loaded.getProtectionDomain();
        if (domain != OWN_DOMAIN) {
          jars.look(domain);
        }
      }
    }
  }

  /** Whether a rule may count it: the agent's own closeable is loaded when there is one. */
  private boolean isNear(Class<?> loaded) {
    ClassLoader loader = loaded.getClassLoader();
    return loader != Watching.OWN
        && !loaded.isArray()
        && !loaded.isPrimitive()
        && (!Watching.isOfJdk(loader) || watching.isInJdkPackage(loaded.getName()));
  }
}
