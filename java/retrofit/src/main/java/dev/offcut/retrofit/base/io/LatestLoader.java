package dev.offcut.retrofit.base.io;

import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectStreamClass;
import org.jspecify.annotations.Nullable;

/**
 * The memo of an entry: the class loader that the JDK's stack walk finds, looked up once for each
 * entry.
 *
 * <p><b>Why it is exact.</b> The walk looks for the latest frame of a class that is not the JDK's.
 * Code outside of ObjectInputStream makes the stream resolve a class only through the
 * <i>entries</i>: readObject, readUnshared, defaultReadObject and readFields. Between the innermost
 * entry of a thread and the place where the stream calls resolveClass, all frames are the JDK's,
 * unless resolveClass is overridden. So within one entry every walk has the same result, whatever
 * loaders there are. A callback that has returned has no frame. A callback that reads from the
 * stream makes an entry of its own, with a memo of its own. When that entry ends, in whatever way,
 * the memo of the entry around it is restored.
 *
 * <p><b>Calls of the stream and of others.</b> The methods resolveClass and resolveProxyClass stay
 * as they are, with everything that other agents put into them. Only the walk and the look-up
 * inside them become calls of this class. A program may call these methods, too, and then the walk
 * has another result. So the stream, when it makes its own call, stores the descriptor that it
 * resolves. The first walk for that very descriptor takes it away and uses the memo. For any other
 * descriptor the stack is walked, and the result is not kept. The stream makes the descriptor for
 * this one call, so no other code has it. The only exception is code of another agent inside these
 * methods that passes the descriptor to code of the program, which calls the method again.
 *
 * <p>The field of the descriptor is plain, as that of the memo is. A thread that sees the
 * descriptor of another thread walks the stack. A thread uses a descriptor only with a memo that is
 * empty or bears its own name.
 *
 * <p><b>Collections.</b> If the JDK's own readObject of a collection calls readObject for an
 * element, all frames in between are the JDK's, too: that is no new entry. Such a readObject gets
 * an {@link ElementStream} in place of the stream, which no other code can call.
 *
 * <p>This class never runs here: its copy in java.base does. Any thread may use it.
 */
public final class LatestLoader {
  private static final Overrides OVERRIDES = new Overrides();

  private static final KnownCollections COLLECTIONS = new KnownCollections();

  private static final int VERIFY_EVERY = StreamSettings.VERIFY;

  /** A race gives a thread a turn more or less. */
  private static int turn;

  private static volatile boolean off;

  private LatestLoader() {}

  /** Begins an entry; what the stream's memo must be after it. */
  static @Nullable Memo enter(Stock.Stream stream) {
    Memo memo = stream.offcutMemo;
    if (memo == null) {
      return null;
    }
    stream.offcutMemo = null;
    return memo.thread == Thread.currentThread() ? memo : null;
  }

  /** In the place of the stream's one call of resolveClass. */
  static Class<?> resolveClass(Stock.Stream stream, ObjectStreamClass desc)
      throws IOException, ClassNotFoundException {
    if (!isOwn(stream, Overrides.CLASSES)) {
      return stream.resolveClass(desc);
    }
    stream.offcutResolving = desc;
    try {
      return stream.resolveClass(desc);
    } finally {
      stream.offcutResolving = null;
    }
  }

  /** In the place of the stream's one call of resolveProxyClass. */
  static Class<?> resolveProxyClass(Stock.Stream stream, String[] interfaces)
      throws IOException, ClassNotFoundException {
    if (!isOwn(stream, Overrides.PROXIES)) {
      return stream.resolveProxyClass(interfaces);
    }
    stream.offcutResolving = interfaces;
    try {
      return stream.resolveProxyClass(interfaces);
    } finally {
      stream.offcutResolving = null;
    }
  }

  /** Whether the method that the stream calls is the stream's own. */
  private static boolean isOwn(Stock.Stream stream, int override) {
    Class<?> type = stream.getClass();
    return type == Stock.Stream.class || (OVERRIDES.get(type) & override) == 0;
  }

  /**
   * In the place of the walk: from the memo if the stream itself has this resolved, and so nothing
   * but the JDK's frames are between here and the entry.
   *
   * @param resolved the descriptor, or the names of the interfaces
   */
  static ClassLoader loader(Stock.Stream stream, @Nullable Object resolved) {
    if (resolved == null || stream.offcutResolving != resolved || off) {
      return Stock.Vm.latestUserDefinedLoader();
    }
    stream.offcutResolving = null;
    Thread thread = Thread.currentThread();
    Memo memo = stream.offcutMemo;
    if (memo == null || memo.thread != thread) {
      ClassLoader walked = Stock.Vm.latestUserDefinedLoader();
      StreamCounts.walked();
      stream.offcutMemo = new Memo(thread, LoaderClasses.of(walked));
      return walked;
    }
    ClassLoader known = memo.classes.loader;
    if (isDue()) {
      ClassLoader walked = Stock.Vm.latestUserDefinedLoader();
      if (walked != known) {
        switchOff("the loader " + known, "a walk over the stack finds " + walked);
        return walked;
      }
    }
    StreamCounts.saved();
    return known;
  }

  /**
   * In the place of Class.forName, with the loader that was just found. The classes are those of
   * the loader, so it does not matter who called.
   */
  static Class<?> forName(String name, boolean initialize, ClassLoader loader, Stock.Stream stream)
      throws ClassNotFoundException {
    Memo memo = stream.offcutMemo;
    if (off
        || memo == null
        || memo.thread != Thread.currentThread()
        || memo.classes.loader != loader) {
      return Class.forName(name, initialize, loader);
    }
    Class<?> known = memo.classes.get(name);
    if (known == null) {
      Class<?> found = Class.forName(name, initialize, loader);
      memo.classes.put(found);
      return found;
    }
    if (isDue()) {
      Class<?> found = Class.forName(name, initialize, loader);
      if (found != known) {
        switchOff("the " + known, "the loader finds " + found);
      }
      return found;
    }
    return known;
  }

  /**
   * In the place of the stream's one call of an object's own readObject: a collection is given what
   * reads its elements as parts of it.
   */
  static void invokeReadObject(Stock.Desc desc, Object object, Stock.Stream stream)
      throws IOException, ClassNotFoundException {
    if (off || !COLLECTIONS.get(desc.forClass())) {
      desc.invokeReadObject(object, stream);
      return;
    }
    Stock.Stream around = stream.offcutElements;
    if (around != null && ElementStreams.isFor(around, stream)) {
      desc.invokeReadObject(object, around);
      return;
    }
    ElementStream elements = ElementStreams.of(stream, Thread.currentThread());
    if (elements == null) {
      desc.invokeReadObject(object, stream);
      return;
    }
    stream.offcutElements = elements;
    try {
      desc.invokeReadObject(object, elements);
    } finally {
      stream.offcutElements = around;
      elements.end();
    }
  }

  /** Where a collection has the length of an array checked, by the stream that it was given. */
  static void filterCheck(Stock.Stream given, Class<?> type, int length)
      throws InvalidClassException {
    ElementStreams.behind(given).filterCheck(type, length);
  }

  private static void switchOff(String known, String stock) {
    off = true;
    System.err.println(
        "offcut: object streams: the cache has "
            + known
            + ", but "
            + stock
            + "; from now on every lookup walks over the stack");
  }

  private static boolean isDue() {
    return VERIFY_EVERY != 0 && (VERIFY_EVERY == 1 || ++turn % VERIFY_EVERY == 0);
  }
}
