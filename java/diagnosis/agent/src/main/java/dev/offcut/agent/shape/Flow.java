package dev.offcut.agent.shape;

import dev.offcut.agent.hooks.code.UnknownShapeException;
import dev.offcut.agent.shape.TypeFile.Method;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * The data flow of the methods of one class, and of what they call. Each method is looked at once
 * for the objects of the class, whose fields are told apart, and once for all others. For one
 * thread.
 */
final class Flow {
  /** Longer methods are left out: they are parsers and tables. */
  private static final int LONGEST = 8_000;

  final Types types;

  /** The class of which objects are looked at. */
  final String self;

  final Fields fields;

  /** Fields of which it matters where they go. */
  final long handles;

  private final IdentityHashMap<Method, Summary> own = new IdentityHashMap<>();
  private final Set<Method> busy = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Methods that may still be looked at. */
  private int left;

  /**
   * Begins with a class.
   *
   * @param handles the fields of which it matters where they go
   * @param most methods to look at
   */
  Flow(Types types, String self, Fields fields, long handles, int most) {
    this.types = types;
    this.self = self;
    this.fields = fields;
    this.handles = handles;
    left = most;
  }

  /** What a method does to an object of the class. */
  Summary of(Method method) {
    return of(method, true, 0);
  }

  /**
   * What a method does.
   *
   * @param isOwn whether its object is the one that is looked at
   * @param depth how many calls lead to it
   */
  Summary of(Method method, boolean isOwn, int depth) {
    if (method.code == 0 || method.length > LONGEST || depth > Reach.MOST_CALLS) {
      return Summary.EMPTY_ONE;
    }
    Summary known = isOwn ? own.get(method) : method.summary;
    if (known != null) {
      return known;
    }
    if (left <= 0 || !busy.add(method)) {
      return Summary.EMPTY_ONE;
    }
    left--;
    Summary made = new Summary();
    try {
      new MethodFlow(this, method, isOwn, depth, made).run();
    } catch (UnknownShapeException | IndexOutOfBoundsException e) {
      // code that is not understood shows nothing
    } finally {
      busy.remove(method);
    }
    if (isOwn) {
      own.put(method, made);
    } else {
      method.summary = made;
    }
    return made;
  }
}
