package dev.offcut.agent.stream;

import dev.offcut.agent.Messages;
import dev.offcut.agent.base.JavaBase;
import dev.offcut.agent.code.UnknownShapeException;
import dev.offcut.agent.stream.jdk.StockContext;
import dev.offcut.agent.stream.jdk.StockLoaderValue;
import dev.offcut.agent.stream.jdk.StockStream;
import dev.offcut.agent.stream.jdk.StockVm;
import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites ObjectInputStream and what belongs to it, when they are loaded: before the program.
 *
 * <p>A class that is loaded already cannot get a new field. Then all is left as it is. So is what
 * has another shape than the known ones. Either is said in one line, nothing is thrown.
 */
public final class StreamRetrofit implements ClassFileTransformer {
  private static final Class<?> NEIGHBOUR = InputStream.class;

  /** How the streams were rewritten; null: they were not. */
  private static volatile @Nullable Settings installed;

  private final Settings settings;
  private final Set<String> rewritten = ConcurrentHashMap.newKeySet();

  private StreamRetrofit(Settings settings) {
    this.settings = settings;
  }

  /** What is to be done: each part, and every how manieth answer is verified, or 0. */
  public record Settings(
      boolean classCache, boolean collections, boolean rmi, int verify, boolean record) {}

  /** Rewrites; what was rewritten, in words, or null. */
  public static @Nullable String install(Instrumentation instrumentation, Settings settings)
      throws Exception {
    StreamRetrofit retrofit = new StreamRetrofit(settings);
    Map<String, Class<?>> loaded = loaded(instrumentation);
    if (loaded.containsKey(StreamClass.NAME)) {
      say("ObjectInputStream was loaded before the agent");
      return null;
    }
    retrofit.defineHelpers(instrumentation);
    // Not one that retransforms: what it makes of a class stays when another agent retransforms.
    instrumentation.addTransformer(retrofit);
    // Now, while nothing of the program has loaded it. To look at the helpers would load it, too.
    Class.forName(StreamClass.NAME.replace('/', '.'), false, null);
    Class.forName(ContextClass.NAME.replace('/', '.'), false, null);
    if (!retrofit.rewritten.contains(StreamClass.NAME)) {
      instrumentation.removeTransformer(retrofit);
      return null;
    }
    retrofit.configure();
    installed = settings;
    StringBuilder done = new StringBuilder("ObjectInputStream");
    if (settings.collections) {
      done.append(retrofit.installCollections(instrumentation, loaded));
    }
    return done.toString();
  }

  private void configure() throws ReflectiveOperationException {
    helper(Entries.class)
        .getMethod("configure", boolean.class, int.class)
        .invoke(null, settings.classCache, settings.verify);
    if (settings.record) {
      helper(Tally.class).getMethod("record").invoke(null);
    }
  }

  private String installCollections(Instrumentation instrumentation, Map<String, Class<?>> loaded)
      throws Exception {
    if (!rewritten.contains(ContextClass.NAME)) {
      say("SerialCallbackContext was loaded before the agent; collections are");
      return "";
    }
    if ((boolean) helper(Entries.class).getMethod("isRecorded").invoke(null)) {
      Messages.say(
          "object streams: this run is recorded for an AOT cache, which the JVM cannot make of"
              + " rewritten collections; they are left as they are, this time");
      return "";
    }
    CollectionRetrofit collections = new CollectionRetrofit();
    instrumentation.addTransformer(collections, true);
    List<Class<?>> present = new ArrayList<>();
    for (String name : CollectionClass.CALLS.keySet()) {
      Class<?> type = loaded.get(name);
      if (type != null) {
        present.add(type);
      }
    }
    instrumentation.retransformClasses(present.toArray(new Class<?>[0]));
    return " and " + CollectionClass.CALLS.size() + " collections";
  }

  private void defineHelpers(Instrumentation instrumentation) throws Exception {
    Map<String, String> standIns = new HashMap<>();
    standIns.put(internal(StockStream.class), StreamClass.NAME);
    standIns.put(internal(StockContext.class), ContextClass.NAME);
    standIns.put(internal(StockVm.class), "jdk/internal/misc/VM");
    standIns.put(internal(StockLoaderValue.class), "jdk/internal/loader/ClassLoaderValue");
    new JavaBase(instrumentation, NEIGHBOUR, standIns)
        .define(
            Entries.class,
            Memo.class,
            LoaderClasses.class,
            Overrides.class,
            Tally.class,
            Frames.class,
            Site.class);
  }

  private static String internal(Class<?> type) {
    return type.getName().replace('.', '/');
  }

  private static Class<?> helper(Class<?> type) throws ClassNotFoundException {
    return Class.forName(JavaBase.nameOf(NEIGHBOUR, type).replace('/', '.'), true, null);
  }

  /** What was counted until now, or null if the streams are as they were. */
  public static @Nullable StreamReport report() throws ReflectiveOperationException {
    Settings settings = installed;
    return settings == null ? null : StreamReport.of(helper(Tally.class), settings.verify);
  }

  /** Records by place and class from now on; whether it did not before. */
  public static boolean record() throws ReflectiveOperationException {
    if (installed == null || (Boolean) helper(Tally.class).getMethod("isRecording").invoke(null)) {
      return false;
    }
    helper(Tally.class).getMethod("record").invoke(null);
    return true;
  }

  private static Map<String, Class<?>> loaded(Instrumentation instrumentation) {
    Map<String, Class<?>> loaded = new HashMap<>();
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      if (type.getClassLoader() == null) {
        loaded.put(internal(type), type);
      }
    }
    return loaded;
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] file) {
    if (loader != null || name == null || redefined != null) {
      return null;
    }
    try {
      byte[] result =
          switch (name) {
            case StreamClass.NAME -> StreamClass.rewrite(file);
            case ContextClass.NAME -> ContextClass.rewrite(file);
            case RmiClass.NAME -> settings.rmi ? RmiClass.rewrite(file) : null;
            default -> null;
          };
      if (result != null) {
        rewritten.add(name);
        if (name.equals(RmiClass.NAME)) {
          Messages.note("rewritten RMI's streams");
        }
      }
      return result;
    } catch (UnknownShapeException e) {
      say(name.replace('/', '.') + " has an unknown shape (" + e.getMessage() + ")");
    } catch (Throwable e) {
      say(name.replace('/', '.') + " could not be rewritten (" + e + ")");
    }
    return null;
  }

  static void say(String problem) {
    Messages.say("object streams: " + problem + "; left as it is");
  }
}
