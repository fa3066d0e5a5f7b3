package dev.offcut.agent.hooks;

import dev.offcut.agent.Messages;
import dev.offcut.agent.Tracking;
import dev.offcut.agent.base.Access;
import dev.offcut.agent.base.Helpers;
import dev.offcut.agent.base.JavaBase;
import dev.offcut.agent.base.Kind;
import dev.offcut.agent.base.concurrent.Arguments;
import dev.offcut.agent.base.concurrent.BufferPools;
import dev.offcut.agent.base.concurrent.Sites;
import dev.offcut.agent.hooks.code.UnknownShapeException;
import dev.offcut.agent.publish.AgentBean;
import dev.offcut.agent.publish.Libraries;
import dev.offcut.agent.publish.NettyPools;
import dev.offcut.agent.rules.Watching;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Puts calls of the helpers into the classes of the JDK that open and free resources. Those that
 * are loaded before the agent are transformed as loaded classes: only bodies of methods change.
 * Arenas and buffers mostly are not: this class loads them, and transforms them as they come.
 * Classes that many programs never load, JNA and their Unsafe, are transformed when the program
 * loads them.
 *
 * <p>If one class of a {@link Source} does not have a known shape, the whole source stays
 * unchanged, and one line on stderr says so. Nothing is ever thrown into the program.
 *
 * <p>The JVM calls the transformer again whenever some agent transforms one of these classes, and
 * starts with the original each time.
 */
public final class Patching implements ClassFileTransformer {
  private static final Class<?> NEIGHBOUR = ConcurrentHashMap.class;

  private static final String LINKER = PatchedClasses.LinkerClass.NAME.replace('/', '.');

  /** What tells it from most other classes. */
  private static final int LINKERS = Modifier.ABSTRACT | Modifier.INTERFACE | Modifier.FINAL;

  private static final String NO_ARENAS = "arenas are not tracked on this JDK";

  private static final String NO_EXIT_CODE = "the exit code is not seen on this JDK: ";

  private static final String EARLIER_HANDLES =
      "calls through method handles that the program made before the agent came are not counted";

  private static final String EARLIER_JNA =
      "JNA was loaded before the agent came, so memory of its Native.malloc is not counted";

  private static final @Nullable ClassLoader OWN = Patching.class.getClassLoader();

  /** By internal name of a class. What an arena's session calls is there before the session is. */
  private final Map<String, Source> sources = new ConcurrentHashMap<>();

  /** Classes of java.base that were rewritten, or looked at, when they were loaded. */
  private final Set<String> loadedSince = ConcurrentHashMap.newKeySet();

  private final Set<Source> failed = ConcurrentHashMap.newKeySet();

  private final AtomicInteger entries = new AtomicInteger();

  /** Those that have a JNA whose Native is rewritten. */
  private final Set<ClassLoader> wrapping =
      Collections.newSetFromMap(Collections.synchronizedMap(new WeakHashMap<>()));

  /** Classes of Offcut's libraries that were loaded before the agent, and open arenas. */
  private final List<Class<?>> libraryClasses = new ArrayList<>();

  /** The JDK's linker has been loaded, so the program may call through it. */
  private volatile boolean links;

  /** The program may have an MBean server. */
  private volatile boolean beanServers;

  /** Of a program that ran before: what {@code BufferPools} said then. */
  private volatile long[] missed = {-1, -1, -1};

  private final Instrumentation instrumentation;
  private final Tracking.Settings settings;
  private final Tracking tracking;
  private final NettyPools nettyPools;
  private final ProgramStart start = new ProgramStart();

  public Patching(Instrumentation instrumentation, Tracking tracking, NettyPools nettyPools) {
    this.instrumentation = instrumentation;
    this.settings = tracking.settings();
    this.tracking = tracking;
    this.nettyPools = nettyPools;
  }

  /**
   * Begins to rewrite classes when they are loaded, and loads those that are not there yet: to
   * rewrite a loaded class takes several times as long. A helper is there before what calls it.
   */
  public Map<Source, List<Class<?>>> begin() throws Exception {
    Map<Source, List<Class<?>>> classes = new TreeMap<>();
    for (Source source : settings.sources()) {
      if (source == Source.ARENAS && !ArenaClasses.areThere()) {
        tracking.stoodDown().add(NO_ARENAS);
        Messages.note(NO_ARENAS);
      } else if (source != Source.DOWNCALLS || PatchedClasses.LinkerClass.isThere()) {
        classes.put(source, new ArrayList<>()); // else they are a preview, or not there
      }
    }
    String[] more =
        classes.containsKey(Source.ARENAS) ? new String[] {ArenaClasses.OPENED} : new String[0];
    Access access = Access.to(instrumentation, NEIGHBOUR, more);
    defineHelpers(access);
    if (classes.containsKey(Source.FINALIZERS) && isTrained()) {
      classes.remove(Source.FINALIZERS);
      tracking.say(
          Source.FINALIZERS,
          "not tracked in a training run for an AOT cache: otherwise the JVM cannot write the cache");
    }
    if (settings.late()) {
      missed = BufferPools.now();
    }
    for (Source source : classes.keySet()) {
      if (source != Source.ARENAS) {
        rewrites(source, source.classes());
      }
    }
    instrumentation.addTransformer(this, true);
    if (classes.containsKey(Source.JNA_MALLOC)) {
      instrumentation.setNativeMethodPrefix(this, NativeClass.PREFIX);
    }
    for (Source source : List.copyOf(classes.keySet())) {
      if (source == Source.ARENAS) {
        loadArenas(access, classes);
      } else if (!source.mayComeLater()) {
        load(source, source.classes(), classes);
      }
    }
    return classes;
  }

  /** Whether the program may call through the JDK's linker. */
  public boolean links() {
    return links;
  }

  /** Whether the program may have an MBean server. */
  public boolean hasBeanServers() {
    return beanServers;
  }

  /** How many classes have come until now that look like the entry of a library of Offcut's. */
  public int entries() {
    return entries.get();
  }

  /** A class of a name, if one is loaded. */
  public @Nullable Class<?> loaded(String name) {
    for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
      if (loaded.getName().equals(name)) {
        return loaded;
      }
    }
    return null;
  }

  /** Whether its classes are rewritten, or will be when they come. */
  public boolean isTracked(Source source) {
    for (Source one : sources.values()) {
      if (one == source) {
        return !failed.contains(source);
      }
    }
    return false;
  }

  /** Takes what was inserted out of the classes of a source. */
  public void restore(Source source) {
    if (source == Source.JNA_MALLOC) {
      return; // a class cannot lose methods
    }
    for (String name : source.classes()) {
      Class<?> type = loaded(name.replace('/', '.'));
      try {
        if (type != null) {
          again(List.of(type));
        }
      } catch (Throwable e) {
        tracking.say(source, type.getName() + " could not be restored (" + e + ")");
      }
    }
  }

  private void rewrites(Source source, List<String> names) {
    for (String name : names) {
      sources.put(name, source);
    }
  }

  /** What the helpers extend, and read; the helpers; then what calls them. */
  private void loadArenas(Access access, Map<Source, List<Class<?>>> classes) {
    List<String> looked = ArenaClasses.LOOKED_AT;
    rewrites(Source.ARENAS, looked);
    if (!load(Source.ARENAS, looked, classes)) {
      return;
    }
    List<Class<?>> arenas = Objects.requireNonNull(classes.get(Source.ARENAS));
    try {
      defineArenaHelpers(access, arenas.get(0));
    } catch (Exception e) {
      classes.remove(Source.ARENAS);
      sources.keySet().removeAll(ArenaClasses.NAMES);
      tracking.say(Source.ARENAS, "not tracked (" + e + ")");
      return;
    }
    List<String> called = ArenaClasses.NAMES.subList(looked.size(), ArenaClasses.NAMES.size());
    rewrites(Source.ARENAS, called);
    load(Source.ARENAS, called, classes);
  }

  /**
   * Packages of known libraries, with blanks between them: in their file the only texts that end in
   * a dot, without blanks.
   */
  private static String knownPackages() throws IOException {
    try (InputStream in = Patching.class.getResourceAsStream("/dev/offcut/agent/libraries.json")) {
      String file = in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
      StringBuilder packages = new StringBuilder();
      String[] texts = file.split("\"", -1);
      for (int i = 1; i < texts.length; i += 2) {
        if (texts[i].endsWith(".") && texts[i].indexOf(' ') < 0) {
          packages.append(packages.isEmpty() ? "" : " ").append(texts[i]);
        }
      }
      return packages.toString();
    }
  }

  private void defineHelpers(Access access) throws Exception {
    Map<String, String> values =
        Map.of(
            "sample", String.valueOf(tracking.every()),
            "late", String.valueOf(settings.late()),
            "libraries", knownPackages(),
            "own", "dev.offcut.",
            "kinds", String.join(" ", Kind.names()));
    JavaBase.define(access, NEIGHBOUR, Helpers.TRACKING, values);
    Helpers.TRACKING.initialize();
    Sites.agent(OWN);
    start.begin();
    if (settings.sources().contains(Source.DOWNCALLS) && PatchedClasses.LinkerClass.isThere()) {
      JavaBase.define(access, NEIGHBOUR, Helpers.DOWNCALLS, Map.of());
    }
    if (!settings.watched().isNothing()) {
      JavaBase.define(access, NEIGHBOUR, Helpers.CLOSEABLES, Map.of());
    }
  }

  private static void defineArenaHelpers(Access access, Class<?> neighbour) throws Exception {
    JavaBase.define(access, neighbour, Helpers.ARENAS, Map.of());
    Helpers.ARENAS.initialize();
  }

  /**
   * Loads classes of a source. If this JDK lacks one, the source is taken out; whether it is in.
   */
  private boolean load(Source source, List<String> names, Map<Source, List<Class<?>>> all) {
    List<Class<?>> classes = Objects.requireNonNull(all.get(source));
    for (String name : names) {
      try {
        classes.add(Class.forName(name.replace('/', '.'), false, null));
      } catch (ClassNotFoundException e) {
        if (!source.mayBeMissing(name)) {
          String missing = String.valueOf(e.getMessage()).replace('/', '.');
          tracking.stoodDown().add(source.label + ": this JDK has no " + missing);
          Messages.note(source.label + " are not tracked: this JDK has no " + missing);
          all.remove(source);
          sources.keySet().removeAll(source.classes());
          restore(classes);
          return false;
        }
      } catch (LinkageError e) {
        // As it was rewritten it cannot be loaded. As it is, it can be when the program needs it.
        fail(source, "its classes could not be rewritten (" + e + ")");
      }
    }
    return true;
  }

  /** As they were: some may have been rewritten when they were loaded. */
  private void restore(List<Class<?>> classes) {
    again(classes, e -> {}); // then nothing of it was rewritten
  }

  /** A JVM 25 fails to make a cache without its own Finalizer, and leaves out what is rewritten. */
  private static boolean isTrained() {
    return Boolean.getBoolean(Arguments.TRAINS);
  }

  /** What may come later is transformed when it comes, unless it is there. */
  public void addLoaded(Class<?>[] allLoaded, Map<Source, List<Class<?>>> all) {
    if (settings.late()) {
      start.loaded(allLoaded);
    }
    Module base = NEIGHBOUR.getModule();
    Module own = Patching.class.getModule();
    for (Class<?> loaded : allLoaded) {
      // The names of all classes of java.base would be made for this.
      Module module = loaded.getModule();
      if (module != base && module != own) {
        String name = loaded.getName().replace('.', '/');
        if (Libraries.isEntry(name)) {
          entries.getAndIncrement();
        }
        if (name.equals(AgentBean.SERVERS)) {
          beanServers = true;
        }
        if (LibraryClasses.isOne(name)) {
          libraryClasses.add(loaded);
        }
        for (Map.Entry<Source, List<Class<?>>> source : all.entrySet()) {
          if (source.getKey().mayComeLater() && source.getKey().classes().contains(name)) {
            addLoaded(source.getKey(), loaded, source.getValue());
          }
        }
      } else if ((loaded.getModifiers() & LINKERS) == Modifier.ABSTRACT
          && isLinker(loaded)
          && all.containsKey(Source.DOWNCALLS)) {
        addLoaded(Source.DOWNCALLS, loaded, Objects.requireNonNull(all.get(Source.DOWNCALLS)));
      }
    }
  }

  /**
   * Of an abstract class only the name is asked for: each name that is asked for is made. An array
   * is abstract and final.
   */
  private static boolean isLinker(Class<?> loaded) {
    return loaded.getName().equals(LINKER);
  }

  private void addLoaded(Source source, Class<?> loaded, List<Class<?>> to) {
    if (source == Source.JNA_MALLOC) {
      tracking.stoodDown().add(source.label + ": " + EARLIER_JNA);
      Messages.note(EARLIER_JNA);
      return;
    }
    to.add(loaded);
    if (source == Source.DOWNCALLS) {
      tracking.stoodDown().add(source.label + ": " + EARLIER_HANDLES);
      Messages.note(source.label + ": " + EARLIER_HANDLES);
    }
  }

  /** Rewrites what was loaded before: of the sources, and what a rule counts. */
  public void transform(Map<Source, List<Class<?>>> classes, List<Class<?>> watched) {
    List<Class<?>> all = new ArrayList<>(exit());
    for (List<Class<?>> some : classes.values()) {
      for (Class<?> one : some) {
        if (!loadedSince.contains(one.getName().replace('.', '/'))) {
          all.add(one);
        }
      }
    }
    all.addAll(watched);
    all.addAll(libraryClasses);
    try {
      again(all);
    } catch (Throwable together) {
      // All together or none: so each by itself.
      again(exit(), e -> Messages.note(NO_EXIT_CODE + e));
      classes.forEach(
          (source, its) ->
              again(its, e -> fail(source, "its classes could not be rewritten (" + e + ")")));
      again(
          libraryClasses,
          e -> Messages.note("arenas of Offcut's libraries count as the program's (" + e + ")"));
      Watching watches = tracking.watching();
      if (watches != null) {
        watches.retransform(watched);
      }
    }
    for (Source source : failed) {
      restore(classes.getOrDefault(source, List.of()));
    }
  }

  /** What every exit passes, unless it is loaded only now, and so is rewritten by now. */
  private List<Class<?>> exit() {
    try {
      Class<?> exit = Class.forName(ProgramEnd.NAME.replace('/', '.'), false, null);
      return loadedSince.contains(ProgramEnd.NAME) ? List.of() : List.of(exit);
    } catch (ClassNotFoundException e) {
      Messages.note(NO_EXIT_CODE + e);
      return List.of();
    }
  }

  private void again(List<Class<?>> classes, Consumer<Throwable> failed) {
    try {
      again(classes);
    } catch (Throwable e) {
      failed.accept(e);
    }
  }

  private void again(List<Class<?>> classes) throws UnmodifiableClassException {
    if (!classes.isEmpty()) {
      instrumentation.retransformClasses(classes.toArray(new Class<?>[0]));
    }
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] file) {
    if (name == null || loader == OWN) {
      return null;
    }
    start.loaded(loader, name, domain);
    if (settings.gcAtExit() && !settings.late() && start.isMain(loader, name)) {
      return rewriteMain(file);
    }
    if (name.equals(ProgramEnd.NAME)) {
      if (redefined == null) {
        loadedSince.add(name);
      }
      return rewriteExit(file);
    }
    if (loader == null && name.equals(AgentBean.SERVERS)) {
      beanServers = true;
      return null;
    }
    if (loader != null && Libraries.isEntry(name)) {
      entries.getAndIncrement();
    }
    if (loader != null && LibraryClasses.isOne(name)) {
      return isTracked(Source.ARENAS) ? rewriteOwn(name, file) : null;
    }
    if (loader != null && nettyPools.isOne(name)) {
      return nettyPools.rewrite(name, redefined, file);
    }
    Source source = sources.get(name);
    if (source == null || (loader != null && !source.isJna()) || failed.contains(source)) {
      return null;
    }
    try {
      if (source == Source.JNA_MALLOC) {
        return wrap(loader, redefined, file);
      }
      if (source == Source.DOWNCALLS) {
        links = true;
      }
      if (loader == null && redefined == null) {
        loadedSince.add(name);
      }
      return source.rewrite(name, file);
    } catch (UnknownShapeException e) {
      fail(source, name.replace('/', '.') + " has an unknown shape (" + e.getMessage() + ")");
    } catch (Throwable e) {
      fail(source, name.replace('/', '.') + " could not be rewritten (" + e + ")");
    }
    return null;
  }

  /** JNA's Native: a class that is loaded stays as it is, with or without the methods more. */
  private byte @Nullable [] wrap(
      @Nullable ClassLoader loader, @Nullable Class<?> redefined, byte[] file)
      throws UnknownShapeException {
    if (loader == null || (redefined != null && !wrapping.contains(loader))) {
      return null;
    }
    byte[] made = NativeClass.rewrite(file);
    wrapping.add(loader);
    return made;
  }

  /** Of a library of Offcut's; null if another library has a class of that name. */
  private static byte @Nullable [] rewriteOwn(String name, byte[] file) {
    try {
      return LibraryClasses.rewrite(name, file);
    } catch (UnknownShapeException | RuntimeException e) {
      Messages.note(
          name.replace('/', '.')
              + " has an unknown shape ("
              + e.getMessage()
              + "); its arenas are counted as the program's");
      return null;
    }
  }

  private static byte @Nullable [] rewriteMain(byte[] file) {
    try {
      return ProgramEnd.rewriteMain(file);
    } catch (Throwable e) {
      return null; // what its variables hold then counts as forgotten
    }
  }

  private static byte @Nullable [] rewriteExit(byte[] file) {
    try {
      return ProgramEnd.rewrite(file);
    } catch (Throwable e) {
      Messages.note(NO_EXIT_CODE + e);
      return null;
    }
  }

  /** Gives a source up: its classes stay as they are. */
  public void fail(Source source, String problem) {
    if (failed.add(source)) {
      tracking.say(source, problem + "; not tracked");
    }
  }

  /** Of a program that ran before: what {@code BufferPools} said then. */
  public long[] missed() {
    return missed;
  }
}
