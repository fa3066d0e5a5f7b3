package dev.offcut.agent.rules;

import dev.offcut.agent.Messages;
import dev.offcut.agent.base.concurrent.Closeables;
import dev.offcut.agent.hooks.code.Supertypes;
import dev.offcut.agent.hooks.code.UnknownShapeException;
import dev.offcut.rules.Rule;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites the classes that rules name, and the classes below them, when they are loaded. What was
 * loaded before is rewritten as a loaded one: bodies of methods change, nothing else.
 *
 * <p><b>Which classes.</b> A class file says what the class extends and implements. Those names
 * have been met, as watched or not, or their class files are read. So each class costs a look at
 * its constants, and each that others extend is read once more. Of the JDK's own classes only those
 * are looked at that are in a package of a class that a rule names. A name stands for all classes
 * of it: where two loaders have different ones, the helper sees by the classes themselves what
 * counts.
 *
 * <p><b>Interfaces.</b> To read them all would cost each program more than all else here, and the
 * only interfaces that built-in rules name are of JDBC. So if there are no other rules, an
 * interface that was not met is read only if it is of a rule's library, or if the class mentions
 * JDBC: who has the methods of an interface mentions the types in them. Of the others the JVM loads
 * the interface next, while it makes the class. If that shows that a rule counts the class, it is
 * too late to rewrite it, and its row says so.
 *
 * <p>Of several rules that a class belongs to, that of the nearest class above it counts, then that
 * of the nearest interface; one of a package only if there is no other.
 *
 * <p>Any thread that loads a class. Nothing is ever thrown into the program.
 */
public final class Watching implements ClassFileTransformer {
  private static final String HIDDEN = "a hidden class, which agents do not see";

  private static final String OF_LOADED =
      "; loaded before the agent: objects opened before that do not count";

  private static final String OF_LATE =
      "; loaded before the jar that brings its rule: objects opened before that do not count";

  private static final String AUTO_CLOSEABLE = "java/lang/AutoCloseable";

  /** The agent's own closeable, of which nobody is told. */
  static final Rule PROBE = Rule.of("dev.offcut.agent.rules.Probe", List.of("close"));

  /** The package of the interfaces that built-in rules name. */
  private static final byte[] JDBC = "java/sql/".getBytes(StandardCharsets.US_ASCII);

  /** Interfaces that classes wait for: more are read. It is a few, those being loaded now. */
  private static final int MOST_AWAITED = 1_000;

  private static final String TOO_LATE =
      "it was loaded before the interface by which the rule counts it; --watch with the name of the"
          + " class counts it";

  private static final ClassLoader PLATFORM = ClassLoader.getPlatformClassLoader();
  static final @Nullable ClassLoader OWN = Watching.class.getClassLoader();

  private final Instrumentation instrumentation;

  /** By internal name. Those that jars bring are added while the program runs, under a lock. */
  private final Map<String, Rule> roots = new ConcurrentHashMap<>();

  /** Packages, internal and with the slash at the end, and their rules. */
  private final Map<String, Rule> packages = new LinkedHashMap<>();

  /** What of the rules of jars is not used, a sentence each. */
  private final List<String> problems;

  /** Packages of the JDK that have classes of rules. Complete before others than its maker ask. */
  private final Set<String> jdkPackages = new HashSet<>();

  /** The other packages that have classes of built-in rules, with the slash at the end. */
  private volatile @Nullable Set<String> libraries;

  /** Whether each interface is read that was not met, since a rule may name any. */
  private volatile boolean readsInterfaces;

  private final Set<String> wrappers = ConcurrentHashMap.newKeySet();

  /** Rules of jars; null: nobody asked for them. */
  private final @Nullable JarRules jars;

  /** Classes that the user's file switches off, by binary name. */
  private final Set<String> off;

  /** A class came before the rule that a jar brings for it: what is loaded is looked at again. */
  private volatile boolean isLate;

  /** What is said of classes that are rewritten now, when they are loaded already. */
  private volatile String ofLoaded = OF_LOADED;

  /** Classes that have been met and are watched, or closeables, by internal name. */
  private final Map<String, Met> met = new ConcurrentHashMap<>();

  /** The others that have been met. */
  private volatile Set<Long> others = ConcurrentHashMap.newKeySet();

  /** Whether a name may be among both. */
  private volatile boolean isAmbiguous;

  /** Classes by the interface of which it is not known yet whether a rule counts them. */
  private final Map<String, Set<String>> awaited = new ConcurrentHashMap<>();

  private final WatchedRows rows = new WatchedRows();
  private final ClosingMethods closing = new ClosingMethods(this, rows);
  private final LoadedClasses loaded;

  /** Classes without a rule that own something native; null: nobody asked for them. */
  private final @Nullable ShapeRules shapes;

  private Watching(Instrumentation instrumentation, Wanted wanted, List<String> problems) {
    this.instrumentation = instrumentation;
    this.problems = problems;
    jars = wanted.ofJars() ? new JarRules(this) : null;
    loaded = new LoadedClasses(instrumentation, this, jars);
    off = Set.copyOf(wanted.off());
    shapes = wanted.byShape() ? new ShapeRules(instrumentation, this, rows) : null;
    roots.put(internal(PROBE.root()), PROBE);
    for (Rule rule : GeneratedClasses.without(wanted.rules(), problems)) {
      String root = internal(rule.root());
      if (rule.isPackage()) {
        packages.put(root.substring(0, root.length() - 1), rule);
      } else {
        roots.putIfAbsent(root, rule);
        if (Parents.isOfJdk(root)) {
          jdkPackages.add(packageOf(root));
        }
      }
      readsInterfaces |= rule.isOfUser();
      addWrappers(rule);
    }
    if (roots.containsKey("java/util/zip/ZipFile")) {
      jdkPackages.add("java/util/jar/");
      wrappers.add(internal(Parents.OwnJar.class.getName()));
    }
  }

  private void addWrappers(Rule rule) {
    for (String wrapper : rule.wrappers()) {
      wrappers.add(internal(wrapper));
    }
  }

  /**
   * Watches from now on what is loaded; {@link #among} says what was loaded before. The helper is
   * there. {@code problems}: gets what of the rules of jars is not used, a sentence each.
   */
  public static Watching install(
      Instrumentation instrumentation, Wanted wanted, List<String> problems) {
    Watching watching = new Watching(instrumentation, wanted, problems);
    for (Rule rule : wanted.rules()) {
      if (rule.isOfUser()) {
        watching.rows.expect(rule);
      }
    }
    watching.tell();
    instrumentation.addTransformer(watching, true);
    watching.loaded.add(GeneratedClasses.installIfIn(wanted.rules(), instrumentation, problems));
    return watching;
  }

  /** Tells the helper what is watched; the agent's own class is the first. */
  private void tell() {
    List<String> names = new ArrayList<>();
    names.add(PROBE.root());
    for (Rule rule : roots.values()) {
      if (!rule.equals(PROBE)) {
        names.add(rule.hierarchy() ? rule.root() : rule.root() + "=");
      }
    }
    for (String one : packages.keySet()) {
      names.add(one.replace('/', '.'));
    }
    List<String> left = new ArrayList<>();
    for (String wrapper : wrappers) {
      left.add(wrapper.replace('/', '.'));
    }
    Closeables.watch(names.toArray(new String[0]), left.toArray(new String[0]));
  }

  /**
   * Takes the rules of a jar. Those of the user, and of a jar that came earlier, go before them;
   * those that are built in do not.
   */
  void take(List<Rule> brought) {
    List<String> unused = new ArrayList<>();
    synchronized (roots) {
      for (Rule rule : brought) {
        Rule known = roots.get(internal(rule.root()));
        if (known != null && !known.isBuiltIn()) {
          if (!known.isOfUser() && !known.isSame(rule)) {
            unused.add(
                rule.from()
                    + ": another rule for "
                    + rule.root()
                    + " came earlier and is used: "
                    + known.from());
          }
        } else if (!off.contains(rule.root())) {
          String root = internal(rule.root());
          isLate |= known(root) != null || awaited.containsKey(root);
          roots.put(root, rule);
          addWrappers(rule);
        }
      }
      readsInterfaces |= !brought.isEmpty();
      tell();
      if (isLate) {
        met.clear();
        awaited.clear();
        others = ConcurrentHashMap.newKeySet();
      }
    }
    for (String problem : unused) { // of classes that are counted, by another rule
      Messages.say(problem);
    }
  }

  /** Says what of the rules of jars is not used, on stderr and for reports. */
  void say(String problem) {
    problems.add(problem);
    Messages.say(problem);
  }

  static String internal(String name) {
    return name.replace('.', '/');
  }

  /** The package of an internal name, with the slash at the end. */
  private static String packageOf(String name) {
    return name.substring(0, name.lastIndexOf('/') + 1);
  }

  /** What is told of the classes that belong to rules. */
  public WatchedRows rows() {
    return rows;
  }

  boolean readsInterfaces() {
    return readsInterfaces;
  }

  /** Whether a rule names a class. */
  boolean isNamed(Class<?> type) {
    return roots.containsKey(internal(type.getName()));
  }

  /** Whether a class of the JDK is in a package that has classes of rules. */
  boolean isInJdkPackage(String name) {
    return jdkPackages.contains(packageOf(internal(name)));
  }

  /** Tells of a class that no agent can rewrite. */
  void leaveOutHidden(Rule rule, Class<?> type) {
    rows.put(rule, type.getName(), WatchedRows.NOT_REWRITTEN, HIDDEN);
  }

  /** Those of all loaded classes that a rule counts; {@code again}: a rule of a jar. */
  public List<Class<?>> among(Class<?>[] all, boolean again) {
    if (shapes != null && !again) {
      shapes.take(all);
    }
    return loaded.among(all, again);
  }

  private void rewriteLoaded() {
    List<Class<?>> found = among(instrumentation.getAllLoadedClasses(), true);
    try {
      instrumentation.retransformClasses(found.toArray(new Class<?>[0]));
    } catch (Throwable together) {
      retransform(found); // all together or none
    }
  }

  /** Rewrites loaded classes, each by itself, before the classes that have their methods. */
  public void retransform(List<Class<?>> found) {
    List<Class<?>> all = new ArrayList<>(found);
    all.sort(Comparator.comparing(one -> !one.isInterface()));
    for (Class<?> one : all) {
      retransform(one);
    }
  }

  private void retransform(Class<?> type) {
    try {
      instrumentation.retransformClasses(type);
    } catch (Throwable e) {
      Rule rule = of(type).rule();
      if (rule != null) {
        rows.put(
            rule,
            type.getName(),
            WatchedRows.NOT_REWRITTEN,
            "the JVM refused the rewritten class (" + e + ")");
        closing.leaveOutBelow(internal(type.getName()));
      }
    }
  }

  Met of(Class<?> type) {
    String name = internal(type.getName());
    Met known = known(name);
    return known != null ? known : remember(name, above(type), type.isInterface(), false);
  }

  /** What a loaded class inherits. */
  private Met above(Class<?> type) {
    Class<?> above = type.getSuperclass();
    Met inherited = above == null ? Met.NOT_WATCHED : of(above).inherited();
    for (Class<?> one : type.getInterfaces()) {
      inherited = inherited.or(of(one).inherited());
    }
    return inherited;
  }

  @Nullable Met known(String name) {
    Met its = met.get(name);
    if (its != null) {
      return its;
    }
    return others.contains(Supertypes.number(name)) ? Met.NOT_WATCHED : null;
  }

  private Met remember(String name, Met inherited, boolean isInterface, boolean isFinal) {
    Met its = decide(name, inherited, isInterface);
    long number = Supertypes.number(name);
    if (its.rule() != null || its.isCloseable()) {
      met.put(name, its);
      isAmbiguous |= others.contains(number);
    } else if (!isFinal) {
      others.add(number);
      isAmbiguous |= met.containsKey(name);
    }
    return its;
  }

  private Met decide(String name, Met inherited, boolean isInterface) {
    boolean closeable =
        inherited.isCloseable() || (!packages.isEmpty() && name.equals(AUTO_CLOSEABLE));
    Rule own = roots.get(name);
    if (own != null) {
      return new Met(own, 0, own.hierarchy() || isInterface, closeable, isInterface);
    }
    if (wrappers.contains(name)) {
      return Met.NOT_WATCHED;
    }
    if (inherited.rule() == null && closeable) {
      for (Map.Entry<String, Rule> entry : packages.entrySet()) {
        if (name.startsWith(entry.getKey())) {
          return new Met(entry.getValue(), 0, true, true, isInterface);
        }
      }
      return Met.CLOSEABLE;
    }
    return inherited;
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] file) {
    if (name == null) {
      return null;
    }
    try {
      // Of a class that is loaded inside a retransformation the JVM says another one.
      Class<?> type =
          redefined != null && internal(redefined.getName()).equals(name) ? redefined : null;
      if (type == null && !isNear(loader, name)) {
        return null;
      }
      if (jars != null && !isOfJdk(loader)) {
        jars.look(domain);
      }
      Supertypes above = Supertypes.of(file);
      Rule rule = (type != null ? of(type) : of(loader, domain, name, above)).rule();
      if (shapes != null && type == null && loader != null && !isOfJdk(loader)) {
        shapes.load(name, above, loader, domain, rule != null);
      }
      if (rule == null) {
        return shapes == null ? null : shapes.rewrite(name, file);
      }
      return rewrite(loader, domain, name, type, file, rule);
    } catch (Throwable e) {
      // No memory or no stack is left, or it is no class file: the helper sees what is missing.
      return null;
    }
  }

  private boolean isNear(@Nullable ClassLoader loader, String name) {
    if (isOfJdk(loader)) {
      return isInJdkPackage(name);
    }
    return loader != OWN || PROBE.equals(roots.get(name));
  }

  static boolean isOfJdk(@Nullable ClassLoader loader) {
    return loader == null || loader == PLATFORM;
  }

  /** What is known of a class by its file. */
  private Met of(
      @Nullable ClassLoader loader,
      @Nullable ProtectionDomain domain,
      String name,
      Supertypes above)
      throws UnknownShapeException {
    Met inherited = Met.NOT_WATCHED;
    List<String> open = null;
    for (int i = 0; i < above.count(); i++) {
      if (above.isObject(i) || (!isAmbiguous && others.contains(above.number(i)))) {
        continue;
      }
      String up = above.name(i);
      if (i > 0 && isLeftOpen(up, above)) {
        open = open == null ? new ArrayList<>() : open;
        open.add(up);
      } else {
        inherited = inherited.or(above(up, loader, domain));
      }
    }
    if (open != null && (inherited.rule() != null || roots.containsKey(name))) {
      for (String up : open) {
        inherited = inherited.or(above(up, loader, domain));
      }
      open = null;
    }
    Met its = remember(name, inherited, above.isInterface(), above.isFinal());
    if (open != null || !awaited.isEmpty()) {
      settle(name, its, open == null ? List.of() : open);
    }
    return its;
  }

  /** Whether a class need not know yet what an interface is. */
  private boolean isLeftOpen(String name, Supertypes of) {
    return !readsInterfaces
        && known(name) == null
        && !Parents.isOfJdk(name)
        && !libraries().contains(packageOf(name))
        && awaited.size() < MOST_AWAITED
        && !of.mentions(JDBC);
  }

  /** Made when the first class needs it. While no rules but the built-in ones are there. */
  private Set<String> libraries() {
    Set<String> known = libraries;
    if (known == null) {
      known = new HashSet<>();
      for (String root : roots.keySet()) {
        if (!Parents.isOfJdk(root)) {
          known.add(packageOf(root));
        }
      }
      libraries = known;
    }
    return known;
  }

  /**
   * A class is known, but for some interfaces: those that wait for it wait no more, or for them.
   */
  private void settle(String name, Met its, List<String> open) {
    Set<String> below = awaited.remove(name);
    if (its.rule() != null && below != null) {
      for (String one : below) {
        comesLate(one, its.inherited());
      }
    }
    for (String up : open) {
      // No lambda: a class is being loaded, and the program's first lambda links much of the JDK.
      Set<String> made = ConcurrentHashMap.newKeySet();
      Set<String> known = awaited.putIfAbsent(up, made);
      Set<String> all = known == null ? made : known;
      all.add(name);
      if (below != null) {
        all.addAll(below);
      }
    }
  }

  /** The interface of a class has come that shows that it should have been rewritten. */
  private void comesLate(String name, Met its) {
    Rule rule = its.rule();
    if (rule != null && !met.containsKey(name)) {
      isAmbiguous = true;
      met.put(name, its);
      rows.put(rule, name.replace('/', '.'), WatchedRows.NOT_REWRITTEN, TOO_LATE);
    }
  }

  /** What a class inherits of one above it, whose file is read if it was not met. */
  private Met above(String above, @Nullable ClassLoader loader, @Nullable ProtectionDomain domain)
      throws UnknownShapeException {
    Met its = known(above);
    if (its == null && !readsInterfaces && Parents.isOfJdk(above) && !isInJdkPackage(above)) {
      its = remember(above, Met.NOT_WATCHED, false, false);
    }
    if (its == null) {
      Class<?> earlier = loaded.earlier(above);
      its = earlier == null ? null : of(earlier);
    }
    if (its == null) {
      byte[] file = Parents.read(above, loader, domain, jars);
      its =
          file == null
              ? remember(above, Met.NOT_WATCHED, false, false)
              : of(loader, domain, above, Supertypes.of(file));
    }
    return its.inherited();
  }

  private byte @Nullable [] rewrite(
      @Nullable ClassLoader loader,
      @Nullable ProtectionDomain domain,
      String name,
      @Nullable Class<?> type,
      byte[] file,
      Rule rule) {
    String binary = name.replace('/', '.');
    try {
      WatchedCode code = new WatchedCode(file, rule);
      code.rewrite();
      closing.check(code, loader, domain, type != null, rule);
      rows.put(rule, binary, WatchedRows.COUNTED, code.detail() + (type == null ? "" : ofLoaded));
      return code.toBytes();
    } catch (Throwable e) {
      String why = e instanceof UnknownShapeException ? e.getMessage() : e.toString();
      rows.put(rule, binary, WatchedRows.NOT_UNDERSTOOD, why + " (" + rule.from() + ")");
      closing.leaveOutBelow(name);
    }
    return null;
  }

  /**
   * Says which classes below watched ones do not count, and tries once to rewrite them: hidden
   * classes, and those of a name that was met as another class.
   *
   * @param missed as the helper has them: name, how many objects, class, why
   */
  public void look(List<?> missed) {
    if (isLate) {
      isLate = false;
      ofLoaded = OF_LATE;
      rewriteLoaded();
    }
    for (Object any : missed) {
      Object[] one = (Object[]) any;
      String name = (String) one[0];
      if (rows.get(name) == null && one[2] instanceof Class<?> type) {
        Met its = above(type);
        if (its.rule() != null && instrumentation.isModifiableClass(type)) {
          met.put(internal(name), its);
          retransform(type);
        } else if (its.rule() != null) {
          rows.put(its.rule(), name, WatchedRows.NOT_REWRITTEN, HIDDEN);
        }
      }
      WatchedRows.Row known = rows.get(name);
      if (known != null) {
        rows.missed(known, (Integer) one[1], (String) one[3]);
      }
    }
  }

  /**
   * Says which hidden classes belong to a rule. No agent sees them when they are made, and of those
   * below an interface the helper does not know, either: lambdas are such classes.
   */
  public void lookAtHidden() {
    for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
      if (loaded.isHidden() && !isOfJdk(loaded.getClassLoader())) {
        Rule rule = decide(internal(loaded.getName()), above(loaded), false).rule();
        if (rule != null && rows.get(loaded.getName()) == null) {
          rows.put(rule, loaded.getName(), WatchedRows.NOT_REWRITTEN, HIDDEN);
        }
      }
    }
  }
}
