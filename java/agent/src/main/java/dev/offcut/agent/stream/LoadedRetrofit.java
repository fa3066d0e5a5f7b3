package dev.offcut.agent.stream;

import dev.offcut.agent.Messages;
import dev.offcut.agent.code.UnknownShapeException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites what may be loaded before the stream is: RMI's stream, whose class file is looked at
 * before its superclass is, and the JDK's collections. Only calls change in them.
 *
 * <p><b>When.</b> Collections are in use long before anything is read, and to rewrite a class that
 * is in use costs more than some walks: what was compiled is compiled anew. So it is done once
 * there were as many walks as cost about the same. Until then elements have entries of their own.
 *
 * <p><b>Threads.</b> It runs on one of its own: a class that is loaded or retransformed by a thread
 * that transforms another is not transformed. Nobody waits for it, as who reads holds what it may
 * need. Unlike the stream's, this transformer is asked again when anybody retransforms a class,
 * since the JVM then begins with the original.
 */
final class LoadedRetrofit implements ClassFileTransformer, Runnable {
  private final Instrumentation instrumentation;
  private final Set<String> rewritten;
  private final boolean rmi;
  private final boolean collections;
  private final Set<String> names = ConcurrentHashMap.newKeySet();

  private LoadedRetrofit(
      Instrumentation instrumentation, Set<String> rewritten, boolean rmi, boolean collections) {
    this.instrumentation = instrumentation;
    this.rewritten = rewritten;
    this.rmi = rmi;
    this.collections = collections;
  }

  /**
   * Rewrites them when their time has come.
   *
   * @param rewritten what else has been rewritten, at any time
   * @param rmi whether RMI's stream is being loaded
   * @param collections whether those are wanted
   */
  static void start(
      Instrumentation instrumentation, Set<String> rewritten, boolean rmi, boolean collections) {
    Runnable retrofit = new LoadedRetrofit(instrumentation, rewritten, rmi, collections);
    Thread thread = new Thread(null, retrofit, "offcut collections", 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    thread.start();
  }

  @Override
  public void run() {
    try {
      instrumentation.addTransformer(this, true);
      if (rmi) {
        load(RmiClass.NAME);
        rewrite(Set.of(RmiClass.NAME));
      }
      if (collections) {
        awaitDemand();
        rewriteCollections();
      }
    } catch (InterruptedException e) {
      StreamRetrofit.say("the thread for collections was interrupted; they are");
    } catch (Throwable e) {
      StreamRetrofit.say("what was loaded before could not be rewritten (" + e + ")");
    }
  }

  /** {@link Tally} gives notice, again and again, on the one thing that both know. */
  private static void awaitDemand() throws ClassNotFoundException, InterruptedException {
    Class<?> tally = StreamRetrofit.helper(Tally.class);
    synchronized (tally) {
      tally.wait(); // A wake-up without reason does no harm: it is only early.
    }
  }

  private void rewriteCollections() throws Exception {
    if ((boolean) StreamRetrofit.helper(Entries.class).getMethod("isRecorded").invoke(null)) {
      Messages.say(
          "object streams: this run is recorded for an AOT cache, which the JVM cannot make of"
              + " rewritten collections; they are left as they are, this time");
      return;
    }
    load(ContextClass.NAME);
    if (rewritten.contains(ContextClass.NAME)) {
      rewrite(CollectionClass.CALLS.keySet());
    } else {
      StreamRetrofit.say("SerialCallbackContext is as it was; collections are");
    }
  }

  private void rewrite(Set<String> wanted) throws UnmodifiableClassException {
    names.addAll(wanted);
    Class<?>[] loaded = loaded(wanted);
    instrumentation.retransformClasses(loaded);
    Messages.note("rewritten " + loaded.length + " classes that were loaded before");
  }

  private static void load(String name) throws ClassNotFoundException {
    Class.forName(name.replace('/', '.'), false, null);
  }

  private Class<?>[] loaded(Set<String> wanted) {
    List<Class<?>> loaded = new ArrayList<>();
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      if (type.getClassLoader() == null && wanted.contains(type.getName().replace('.', '/'))) {
        loaded.add(type);
      }
    }
    return loaded.toArray(new Class<?>[0]);
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] file) {
    if (loader != null || name == null || !names.contains(name)) {
      return null;
    }
    try {
      return name.equals(RmiClass.NAME)
          ? RmiClass.rewrite(file)
          : CollectionClass.rewrite(name, file);
    } catch (UnknownShapeException e) {
      StreamRetrofit.say(name.replace('/', '.') + " has an unknown shape (" + e.getMessage() + ")");
    } catch (Throwable e) {
      StreamRetrofit.say(name.replace('/', '.') + " could not be rewritten (" + e + ")");
    }
    return null;
  }
}
