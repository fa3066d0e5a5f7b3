package dev.offcut.agent.base.concurrent;

import dev.offcut.rules.CallSiteRule;
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
 * <p>HotSpot keeps a stack as arrays of 32 frames, each with a link to the next: for each frame the
 * number of its method in its class, where in the method, and the class. That is enough to choose
 * the line and to tell two stacks from each other, and is there in half a microsecond for twenty
 * frames; to ask for their names takes three, and a walk of {@link StackWalker} four. So only a
 * stack that is new is asked for names. Whether the arrays and their link are as known is looked at
 * once; if not, all are asked for names, and classes are known by name only.
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

  /** Numbers of a frame in a key. */
  private static final int NUMBERS = 2;

  private static final String CONSTRUCTOR = "<init>";

  private static final Stock.Fields FIELDS = Stock.Fields.getUnsafe();

  /** Where a stack keeps its arrays; -1: they are not as known. */
  private static final long ARRAYS = arrays();

  /** More frames than the first arrays have. */
  private static final int DEEP = 40;

  /** Which of a stack's arrays is the link to the next; -1: it is not known. */
  private static final int LINK = ARRAYS < 0 ? -1 : link(DEEP);

  private static final Origin NONE = Origin.named("");

  private final Throwable taken = new Throwable();

  /** The arrays that are looked at, and where in them; null: the frames with their names are. */
  private Object @Nullable [] arrays;

  private StackTraceElement @Nullable [] elements;

  private int place;

  /** The frame that is looked at; its class is null if only the name is known. */
  private @Nullable Class<?> type;

  private String name = "";
  private int method;
  private int within;
  private Origin origin = NONE;

  /** Whether the arrays go on, and it is not known where. */
  private boolean isCut;

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

  /** Takes it. */
  Stack() {
    if (ARRAYS < 0 || !read()) {
      elements = taken.getStackTrace();
      read();
    }
    if (count < classes.length) {
      classes = Arrays.copyOf(classes, count);
      numbers = Arrays.copyOf(numbers, NUMBERS * count);
    }
  }

  private static Object @Nullable [] arrays(Throwable stack, long where) {
    return (Object[]) FIELDS.getReference(stack, where);
  }

  /** Looks at the stack of a call in the initializer of this class. */
  private static long arrays() {
    try {
      long where = FIELDS.objectFieldOffset(Throwable.class, "backtrace");
      Object[] arrays = arrays(new Throwable(), where);
      return arrays != null && beginWith(arrays, 2) ? where : -1;
    } catch (Throwable e) {
      return -1; // another JVM
    }
  }

  /**
   * Whether arrays are as known, and begin with so many frames of this class, and no more of them.
   * To ask the stack for its names would take milliseconds at the start of each program.
   */
  private static boolean beginWith(Object[] arrays, int frames) {
    if (!(arrays[0] instanceof short[]) || !(arrays[1] instanceof int[])) {
      return false;
    }
    Object[] mirrors = (Object[]) arrays[2];
    for (int i = 0; i < mirrors.length && i <= frames; i++) {
      if (!(mirrors[i] instanceof Class<?> type) || (type == Stack.class) != (i < frames)) {
        return false;
      }
    }
    return true;
  }

  /** Looks at a stack that is deep enough where its arrays go on. */
  private static int link(int deeper) {
    if (deeper > 0) {
      return link(deeper - 1);
    }
    try {
      Object[] arrays = arrays(new Throwable(), ARRAYS);
      int frames = DEEP + 2; // with the first call, and the initializer
      if (arrays == null || !beginWith(arrays, frames)) {
        return -1;
      }
      int left = frames - ((Object[]) arrays[2]).length;
      for (int i = 3; i < arrays.length; i++) {
        if (arrays[i] instanceof Object[] next
            && next.length == arrays.length
            && left > 0
            && beginWith(next, left)) {
          return i;
        }
      }
    } catch (Throwable e) {
      // another JVM
    }
    return -1;
  }

  /** Goes before the innermost frame; false: it is not known where the frames are. */
  private boolean begin() {
    place = -1;
    arrays = elements == null ? arrays(taken, ARRAYS) : null;
    return elements != null || arrays != null;
  }

  /** Goes to the next frame further out; false: there is none. */
  private boolean next() {
    place++;
    return elements == null ? nextOfArrays() : nextOf(elements);
  }

  private boolean nextOfArrays() {
    Object[] all = arrays;
    if (all == null) {
      return false;
    }
    Object[] mirrors = (Object[]) all[2];
    if (place == mirrors.length) {
      isCut = LINK < 0;
      if (isCut || !(all[LINK] instanceof Object[] more)) {
        return false;
      }
      arrays = more;
      all = more;
      mirrors = (Object[]) all[2];
      place = 0;
    }
    if (!(mirrors[place] instanceof Class<?> its)) {
      return false;
    }
    if (its != type) { // methods often call others of their class
      type = its;
      origin = Origin.of(its);
    }
    method = ((short[]) all[0])[place];
    within = ((int[]) all[1])[place];
    return true;
  }

  private boolean nextOf(StackTraceElement[] all) {
    if (place == all.length) {
      return false;
    }
    StackTraceElement frame = all[place];
    type = null;
    name = frame.getClassName();
    origin = isJdks(frame) ? Origin.of(Object.class) : Origin.named(name);
    method = frame.getMethodName().hashCode();
    within = frame.getLineNumber();
    return true;
  }

  private static boolean isJdks(StackTraceElement frame) {
    String module = frame.getModuleName();
    return module != null && (module.startsWith("java.") || module.startsWith("jdk."));
  }

  private String name() {
    Class<?> its = type;
    return its == null ? name : its.getName();
  }

  /** Whether the frame is the JDK's or the agent's. */
  private boolean isJdks() {
    Class<?> its = type;
    return its == null ? origin.source == CallSiteRule.NOBODY : Origin.isJdks(its);
  }

  /** What the agent put between the JDK's frames. */
  private static boolean isAgents(String name) {
    return name.startsWith("java.util.concurrent.Offcut")
        || name.startsWith("jdk.internal.foreign.Offcut");
  }

  /** Whether the stack has all that is to be known. */
  private boolean read() {
    if (!begin()) {
      return false;
    }
    int first = 0;
    boolean isBehindAgent = false;
    while (next()) {
      if (!isJdks()) {
        keep(first, line(isBehindAgent));
        return !isCut;
      }
      isBehindAgent = isAgents(name());
      first++;
    }
    if (isCut) {
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
    opened = isOpenedHere ? origin.source : CallSiteRule.NOBODY;
    CallSiteRule rule = new CallSiteRule(opened);
    int frames = 0;
    while (!rule.add(origin.source, origin.traits) && ++frames < FURTHEST && next()) {
      // until the program's
    }
    return Math.max(0, rule.line());
  }

  private void keep(int first, int line) {
    begin();
    for (int i = 0; i <= first; i++) {
      next();
    }
    int last = line + (Scope.isUsed() ? OUTER_IN_SCOPES : OUTER) - 1;
    int source = CallSiteRule.NOBODY;
    for (int i = 0; i <= last; i++) {
      boolean isChange = origin.source != source && origin.source != CallSiteRule.NOBODY;
      if (i < INNER || i >= line - 1 || (isChange && count < MOST_CHANGES)) {
        add(first + i);
      }
      source = isChange ? origin.source : source;
      if (!next()) {
        return;
      }
    }
  }

  /** What has no frame of the program has few. */
  private void keepJdks() {
    begin();
    for (int depth = 0; count < INNER + OUTER && next(); depth++) {
      if (count > 0 || !isAgents(name())) {
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
    classes[count] = name();
    types[count] = type;
    depths[count] = depth;
    numbers[NUMBERS * count] = method;
    numbers[NUMBERS * count + 1] = within;
    count++;
  }

  /** Gives a call site the names of its frames, its line, and what lies between. */
  void name(CallSite site) {
    StackTraceElement[] frames = taken.getStackTrace();
    CallSiteRule rule = new CallSiteRule(opened);
    int[] sources = new int[count];
    boolean isDecided = false;
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < count && depths[i] < frames.length; i++) {
      StackTraceElement frame = frames[depths[i]];
      Class<?> its = types[i];
      Origin from = its == null ? Origin.named(classes[i]) : Origin.of(its);
      sources[i] = from.source;
      StackTraceElement inner = depths[i] == 0 ? frame : frames[depths[i] - 1];
      isDecided = isDecided || rule.add(from.source, from.traits | traits(frame, inner, its));
      lines.add(line(frame));
    }
    site.line = Math.max(0, rule.line());
    site.through = through(sources, site.line);
    site.text = String.join("\n", lines);
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
    StackTraceElement[] frames = taken.getStackTrace();
    for (int i = 0; i < Math.min(depths[count - 1] + 1, frames.length); i++) {
      if (i == depths[Math.min(site.line, count - 1)]) {
        site.lineInFrames = all.size();
      }
      if (!isAgents(frames[i].getClassName())) {
        all.add(frames[i]);
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
