package dev.offcut.agent.base.concurrent;

import dev.offcut.agent.base.Kind;
import dev.offcut.rules.CallSiteRule;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stack of an opening, without the frames of the JDK and of the agent that are further in than
 * all others. If there are no others, it has those of the JDK.
 *
 * <p>Kept are the {@value #INNER} innermost frames, those at each change of code source up to the
 * line that {@link CallSiteRule} chooses, this line, and its callers. Of the frames between, which
 * belong to libraries, none is kept.
 *
 * <p>Only a stack that is new is asked for the names of its methods, which takes several times as
 * long as all else.
 */
final class Stack {
  /** Innermost frames that are kept whatever they are. */
  private static final int INNER = 8;

  /** The line and its callers; where a {@link Scope} asks for the stack, it needs more of them. */
  private static final int OUTER = 8;

  private static final int OUTER_IN_SCOPES = 20;

  /** Frames that are looked at for one of the program. */
  private static final int FURTHEST = 512;

  /** Frames at changes of code source: a program may go to and fro between two without end. */
  private static final int MOST_CHANGES = 32;

  /** Callers of the JDK's method that defines a class, among which a class loader would be. */
  private static final int NEAREST = 6;

  /** Numbers of a frame in a key. */
  private static final int NUMBERS = 2;

  private static final String CONSTRUCTOR = "<init>";

  /**
   * By name: the JVM would load them here, and tells no agent of a class that it loads while one
   * rewrites another.
   */
  private static final List<String> POOLS =
      List.of("java.util.concurrent.ThreadPoolExecutor", "java.util.concurrent.ForkJoinPool");

  private static final List<String> ACCEPTORS =
      List.of("java.net.ServerSocket", "java.nio.channels.ServerSocketChannel");

  private final Frames frames = new Frames();

  /** The code source of the class whose object was opened. */
  private int opened = CallSiteRule.NOBODY;

  /** One for each frame that is kept. */
  String[] classes = new String[INNER + OUTER];

  /** For each of them the method, and where in it. */
  int[] numbers = new int[NUMBERS * (INNER + OUTER)];

  private @Nullable Class<?>[] types = new Class<?>[INNER + OUTER];

  /** Where it is in the stack. */
  private int[] depths = new int[INNER + OUTER];

  private int count;

  /** Whether a frame is the program's. */
  boolean isOfProgram;

  /**
   * The line of the program that started the thread, if no frame is the program's; empty if it is
   * not known.
   */
  String started = "";

  /** Takes it. */
  Stack() {
    if (!frames.begin() || !read()) {
      count = 0;
      frames.beginWithNames();
      read();
    }
    CallSite start = isOfProgram ? null : Closeables.siteOf(Thread.currentThread());
    started = start == null ? "" : start.isOfProgram ? start.own : start.started;
    if (count < classes.length) {
      classes = Arrays.copyOf(classes, count);
      numbers = Arrays.copyOf(numbers, NUMBERS * count);
    }
  }

  /**
   * Whether a class is being defined, and code made it: no class loader is among the callers that
   * are nearest.
   */
  boolean isOfGeneratedClass() {
    int left = -1;
    frames.begin();
    while (left != 0 && frames.next()) {
      Class<?> type = frames.type;
      if (type == ClassLoader.class) {
        left = NEAREST;
      } else if (left > 0) {
        left--;
        if (type == null || ClassLoader.class.isAssignableFrom(type)) {
          return false;
        }
      }
    }
    return left == 0;
  }

  /**
   * Whether the JVM, or a method handle that is used often, asks for the class that is being
   * defined: it does so once for each place in the code.
   */
  static boolean isOfLinkage() {
    Frames frames = new Frames();
    if (!frames.begin()) {
      frames.beginWithNames();
    }
    while (frames.next() && frames.isJdks()) {
      String name = frames.name();
      if (name.equals("java.lang.invoke.MethodHandleNatives")
          || name.equals("java.lang.invoke.InvokerBytecodeGenerator")) {
        return true;
      }
    }
    return false;
  }

  /** What the agent put between the JDK's frames. */
  private static boolean isAgents(String name) {
    return name.startsWith("java.util.concurrent.Offcut")
        || name.startsWith("jdk.internal.foreign.Offcut");
  }

  /** Whether the stack has all that is to be known. */
  private boolean read() {
    int first = 0;
    boolean isBehindAgent = false;
    while (frames.next()) {
      if (!frames.isJdks()) {
        keep(first, line(isBehindAgent));
        return !frames.isCut();
      }
      isBehindAgent = isAgents(frames.name());
      first++;
    }
    if (frames.isCut()) {
      return false;
    }
    keepJdks();
    return true;
  }

  /**
   * How many frames the line is further out than the frame that is looked at. Constructors are not
   * known yet: the line may be one of the next.
   */
  private int line(boolean isOpenedHere) {
    opened = isOpenedHere ? frames.origin.source : CallSiteRule.NOBODY;
    CallSiteRule rule = new CallSiteRule(opened);
    int looked = 0;
    isOfProgram = rule.add(frames.origin.source, frames.origin.traits);
    while (!isOfProgram && ++looked < FURTHEST && frames.next()) {
      isOfProgram = rule.add(frames.origin.source, frames.origin.traits);
    }
    return Math.max(0, rule.line());
  }

  private void keep(int first, int line) {
    frames.begin();
    for (int i = 0; i <= first; i++) {
      frames.next();
    }
    int last = line + (Scope.isUsed() ? OUTER_IN_SCOPES : OUTER) - 1;
    int source = CallSiteRule.NOBODY;
    for (int i = 0; i <= last; i++) {
      int its = frames.origin.source;
      boolean isChange = its != source && its != CallSiteRule.NOBODY;
      if (i < INNER || i >= line - 1 || (isChange && count < MOST_CHANGES)) {
        add(first + i);
      }
      source = isChange ? its : source;
      if (!frames.next()) {
        return;
      }
    }
  }

  /** What has no frame of the program has few. */
  private void keepJdks() {
    frames.begin();
    for (int depth = 0; count < INNER + OUTER && frames.next(); depth++) {
      if (count > 0 || !isAgents(frames.name())) {
        add(depth);
      }
    }
  }

  private void add(int depth) {
    if (count == classes.length) {
      classes = Arrays.copyOf(classes, 2 * count);
      numbers = Arrays.copyOf(numbers, 2 * NUMBERS * count);
      types = Arrays.copyOf(types, 2 * count);
      depths = Arrays.copyOf(depths, 2 * count);
    }
    classes[count] = frames.name();
    types[count] = frames.type;
    depths[count] = depth;
    numbers[NUMBERS * count] = frames.method;
    numbers[NUMBERS * count + 1] = frames.within;
    count++;
  }

  /** Gives a call site the names of its frames, its line, and what lies between. */
  void name(CallSite site) {
    StackTraceElement[] named = frames.named();
    CallSiteRule rule = new CallSiteRule(opened);
    int[] sources = new int[count];
    boolean isDecided = false;
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < count && depths[i] < named.length; i++) {
      StackTraceElement frame = named[depths[i]];
      Class<?> its = types[i];
      Origin from = its == null ? Origin.named(classes[i]) : Origin.of(its);
      sources[i] = from.source;
      StackTraceElement inner = depths[i] == 0 ? frame : named[depths[i] - 1];
      isDecided = isDecided || rule.add(from.source, from.traits | traits(frame, inner, its));
      lines.add(line(frame));
    }
    site.line = Math.max(0, rule.line());
    site.through = through(sources, site.line);
    if (site.line < lines.size()) {
      site.own = lines.get(site.line);
    }
    if (!started.isEmpty()) {
      lines.add(CallSiteRule.STARTED);
      lines.add(started);
    }
    site.text = String.join("\n", lines);
    if ((site.kind >= Counts.FIRST_WATCHED || site.kind == Kind.CLEANER) && site.line < count) {
      Class<?> owner = owner(site, named, depths[site.line]);
      site.ownerType = owner == null ? null : new WeakReference<>(owner);
    }
  }

  /**
   * The class of the outermost constructor further in than the line, other than those of the opened
   * object itself: whatever is opened while an object is made belongs to that object. An object of
   * the JDK that a library made is not the program's to end. Notes what the line called, too.
   */
  private @Nullable Class<?> owner(CallSite site, StackTraceElement[] named, int line) {
    Class<?> opened = null;
    Class<?> owner = null;
    Class<?> called = null;
    boolean isOpened = true;
    frames.begin();
    for (int depth = 0; depth < line && depth < named.length && frames.next(); depth++) {
      Class<?> type = frames.type;
      if (type == null || isAgents(type.getName())) {
        continue;
      }
      called = type;
      site.called = named[depth].getMethodName();
      site.isPooled |= POOLS.contains(type.getName());
      site.isAccepted |= site.called.equals("accept") && isAcceptor(type);
      boolean isConstructor = named[depth].getMethodName().equals(CONSTRUCTOR);
      isOpened &= isConstructor && (opened == null || opened.isAssignableFrom(type));
      if (isOpened) {
        opened = type;
      } else if (isConstructor) {
        Class<?> known = Owners.known(type);
        owner = known == null ? owner : known;
      }
    }
    site.calledType = called == null ? null : new WeakReference<>(called);
    boolean isOfLibrary = !started.isEmpty() || (called != null && !Origin.isJdks(called));
    return isOfLibrary && owner != null && Origin.isJdks(owner) ? null : owner;
  }

  private static boolean isAcceptor(Class<?> type) {
    for (Class<?> above = type; above != null; above = above.getSuperclass()) {
      if (ACCEPTORS.contains(above.getName())) {
        return true;
      }
    }
    return false;
  }

  /** What a frame's method tells. */
  private static int traits(
      StackTraceElement frame, StackTraceElement inner, @Nullable Class<?> type) {
    int traits = frame.isNativeMethod() ? CallSiteRule.NATIVE : 0;
    if (!frame.getMethodName().equals(CONSTRUCTOR)) {
      return traits;
    }
    traits |= CallSiteRule.CONSTRUCTOR;
    if (inner.getMethodName().equals(CONSTRUCTOR)) {
      for (Class<?> above = type; above != null; above = above.getSuperclass()) {
        if (above != type && above.getName().equals(inner.getClassName())) {
          return traits | CallSiteRule.SUBCLASS;
        }
      }
    }
    return traits;
  }

  /** The code sources of the frames further in than the line, each once, a line each. */
  private static String through(int[] sources, int line) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < line; i++) {
      String name = sources[i] == CallSiteRule.NOBODY ? "" : Origin.name(sources[i]);
      if (!name.isEmpty() && sources[i] != sources[line] && !names.contains(name)) {
        names.add(name);
      }
    }
    return String.join("\n", names);
  }

  /** Gives a call site all frames up to the outermost that is kept, those of the JDK among them. */
  void nameForScopes(CallSite site) {
    List<StackTraceElement> all = new ArrayList<>();
    StackTraceElement[] named = frames.named();
    for (int i = 0; i < Math.min(depths[count - 1] + 1, named.length); i++) {
      if (i == depths[Math.min(site.line, count - 1)]) {
        site.lineInFrames = all.size();
      }
      if (!isAgents(named[i].getClassName())) {
        all.add(named[i]);
      }
    }
    site.frames = List.copyOf(all);
  }

  private static String line(StackTraceElement frame) {
    String file = frame.getFileName();
    StringBuilder line = new StringBuilder(frame.getClassName());
    line.append('.').append(frame.getMethodName()).append('(');
    if (frame.isNativeMethod()) {
      line.append("native");
    } else {
      line.append(file == null ? "unknown" : file);
    }
    if (file != null && frame.getLineNumber() >= 0) {
      line.append(':').append(frame.getLineNumber());
    }
    return line.append(')').toString();
  }
}
