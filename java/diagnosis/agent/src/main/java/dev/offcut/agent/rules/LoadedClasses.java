package dev.offcut.agent.rules;

import dev.offcut.rules.Rule;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Modifier;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The classes that were loaded before the agent looked: which of them rules count, and those of the
 * boot loader by name.
 */
final class LoadedClasses {
  /** The agent's jar brings no rules. */
  private static final ProtectionDomain OWN_DOMAIN = ownDomain();

  /** What an array has of its own, and no class. */
  private static final int ARRAY = Modifier.ABSTRACT | Modifier.FINAL;

  /** What only a class within another one has. */
  private static final int NESTED = Modifier.STATIC | Modifier.PRIVATE | Modifier.PROTECTED;

  private final Instrumentation instrumentation;
  private final Watching watching;

  /** Packages of the JDK that have classes of rules. */
  private final JdkPackages jdkPackages;

  /** Rules of jars; null: nobody asked for them. */
  private final @Nullable JarRules jars;

  /** A class that no rule names, to be rewritten as well; null: none. */
  private @Nullable Class<?> other;

  /** Classes of the boot loader that were there before the agent looked, until one is asked for. */
  private volatile Class<?>[] before = {};

  /** The same by internal name, as far as their packages have classes of rules. Guards itself. */
  private final Map<String, Class<?>> early = new HashMap<>();

  LoadedClasses(
      Instrumentation instrumentation,
      Watching watching,
      JdkPackages jdkPackages,
      @Nullable JarRules jars) {
    this.instrumentation = instrumentation;
    this.watching = watching;
    this.jdkPackages = jdkPackages;
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
   * <p>Some 700 classes of the JDK are loaded before any agent. A class of these that a rule counts
   * is one that a rule names, or is below such a class. So as long as no rule names interfaces that
   * the boot loader has, nothing is asked of the others but their names. {@link #earlier} finds one
   * if a class of the program extends it.
   *
   * @param all those of the JVM
   * @param again only what rules of jars are about
   */
  List<Class<?>> among(Class<?>[] all, boolean again) {
    boolean asksAll = watching.readsInterfaces();
    List<Class<?>> far = new ArrayList<>();
    List<Class<?>> near = new ArrayList<>();
    List<Class<?>> named = new ArrayList<>();
    List<Class<?>> nested = new ArrayList<>(256);
    Class<?>[] base = new Class<?>[all.length];
    int count = 0;
    for (Class<?> loaded : all) {
      ClassLoader loader = loaded.getClassLoader();
      if (loader != null) {
        if (loader != Watching.OWN) { // its closeable is loaded when there is one
          far.add(loaded);
        }
        continue;
      }
      base[count++] = loaded; // without a call
      int modifiers = loaded.getModifiers();
      if (asksAll || (modifiers & Modifier.INTERFACE) != 0 || (modifiers & ARRAY) == ARRAY) {
        continue; // an array, or a primitive type: nothing else is abstract and final
      }
      if ((modifiers & NESTED) != 0 && !watching.namesNested()) {
        nested.add(loaded); // its name is not asked for: to make it takes a microsecond
      } else if (jdkPackages.contain(loaded)) {
        near.add(loaded);
        if (watching.isNamed(loaded)) {
          named.add(loaded);
        }
      }
    }
    lookInto(far);
    if (watching.readsInterfaces()) { // by now: a jar may have brought rules
      asksAll = true;
      near.clear();
      nested.clear();
      addNear(near, all);
    } else {
      addNear(near, far.toArray(new Class<?>[0]));
    }
    if (!again) {
      synchronized (early) { // or one who is just emptying it would empty this one
        before = asksAll ? new Class<?>[0] : Arrays.copyOf(base, count);
      }
    }
    for (int i = 0; i < nested.size() && !named.isEmpty(); i++) {
      Class<?> one = nested.get(i);
      if (one.getSuperclass() != Object.class && isBelow(one, named) && jdkPackages.contain(one)) {
        near.add(one);
      }
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

  private void lookInto(List<Class<?>> classes) {
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

  /** Adds those that are not the agent's, and of the JDK only those in packages of rules. */
  private void addNear(List<Class<?>> near, Class<?>[] classes) {
    for (Class<?> loaded : classes) {
      ClassLoader loader = loaded.getClassLoader();
      if (loader != Watching.OWN
          && (loaded.getModifiers() & ARRAY) != ARRAY
          && (!Watching.isOfJdk(loader) || jdkPackages.contain(loaded))) {
        near.add(loaded);
      }
    }
  }

  private static boolean isBelow(Class<?> one, List<Class<?>> above) {
    for (int i = 0; i < above.size(); i++) {
      if (above.get(i).isAssignableFrom(one)) {
        return true;
      }
    }
    return false;
  }

  /**
   * A class of the boot loader, in a package that has classes of rules, that was loaded before the
   * agent looked; null: none of that name. The JVM keeps those for ever.
   */
  @Nullable Class<?> earlier(String name) {
    if (!jdkPackages.contain(name)) {
      return null;
    }
    synchronized (early) {
      for (Class<?> one : before) {
        if (!one.isHidden() && jdkPackages.contain(one)) {
          early.put(Watching.internal(one.getName()), one);
        }
      }
      before = new Class<?>[0];
      return early.get(name);
    }
  }
}
