package dev.offcut.retrofit.jna;

import dev.offcut.agent.Messages;
import dev.offcut.agent.base.Access;
import dev.offcut.agent.base.Helpers;
import dev.offcut.agent.base.JavaBase;
import dev.offcut.agent.hooks.code.UnknownShapeException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites JNA's class Memory, and the class that disposes of it, when a class loader loads them.
 * Each loader's pair is rewritten separately.
 *
 * <p>A class stays unchanged if it does not have a known shape, or was loaded before; one line on
 * stderr says so. Nothing is ever thrown into the program. Each of the two classes also works with
 * the original other one: {@code AddressMap} is a map, and its static methods take any map.
 *
 * <p>The JVM calls this class on the threads that load classes, on several at a time.
 */
public final class JnaRetrofit implements ClassFileTransformer {
  /** The helpers are put beside this one. */
  private static final Class<?> NEIGHBOUR = ConcurrentHashMap.class;

  /** What JNA's Memory calls. */
  public static final Helpers HELPERS =
      new Helpers(
          "java/util/concurrent/Offcut",
          "AddressMap",
          "ConcurrentLongMap",
          "ConcurrentLongMap$LongObjFunction",
          "ConcurrentLongMap$1",
          "ConcurrentLongMap$Cursor",
          "ConcurrentLongMap$EntryIterator",
          "ConcurrentLongMap$WriteThroughEntry",
          "ConcurrentLongMap$EntrySet",
          "ConcurrentLongMap$KeySet",
          "ConcurrentLongMap$LongObjConsumer",
          "ConcurrentLongMap$LongObjPredicate",
          "ConcurrentLongMap$Members",
          "ConcurrentLongMap$Overflow",
          "ConcurrentLongMap$Shelf",
          "ConcurrentLongMap$OverflowPool",
          "ConcurrentLongMap$Table",
          "ConcurrentLongMap$Values",
          "ConcurrentLongMap$View",
          "ConcurrentLongMap$Watch",
          "ConcurrentLongMap$KeySet$1",
          "ConcurrentLongMap$Values$1",
          "ConcurrentLongMap$View$1",
          "ConcurrentLongMap$View$2",
          "ConcurrentLongMap$View$3");

  private final Instrumentation instrumentation;

  /** Whether the helpers are there. Two threads may define them: one is first, both go on. */
  private volatile boolean defined;

  /** The loaders whose Memory is rewritten: those of the others hear of Memory only. */
  private final Set<@Nullable ClassLoader> rewritten =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private JnaRetrofit(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  /** Rewrites what is loaded from now on, and says so if it is too late. */
  public static void install(Instrumentation instrumentation) {
    JnaRetrofit retrofit = new JnaRetrofit(instrumentation);
    instrumentation.addTransformer(retrofit);
    String memory = MemoryClass.NAME.replace('/', '.');
    for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
      // The names of all of the JDK's classes would be made for this.
      if (loaded.getModule() != NEIGHBOUR.getModule()
          && loaded.getName().equals(memory)
          && !retrofit.rewritten.contains(loaded.getClassLoader())) {
        Messages.say("JNA's Memory was loaded before the agent; left as it is");
        return;
      }
    }
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] file) {
    if (MemoryClass.NAME.equals(name)) {
      return rewrite(true, loader, file);
    }
    if (DisposerClass.NAME.equals(name) && rewritten.contains(loader)) {
      return rewrite(false, loader, file);
    }
    return null;
  }

  private byte @Nullable [] rewrite(boolean memory, @Nullable ClassLoader loader, byte[] file) {
    String what = memory ? "Memory" : "MemoryDisposer";
    try {
      byte[] result = memory ? MemoryClass.rewrite(file) : DisposerClass.rewrite(file);
      defineHelpers();
      rewritten.add(loader);
      if (memory) {
        Messages.note("JNA's Memory is rewritten");
      }
      return result;
    } catch (UnknownShapeException e) {
      say(what + " has an unknown shape (" + e.getMessage() + ")");
    } catch (Throwable e) {
      say(what + " could not be rewritten (" + e + ")");
    }
    return null;
  }

  private void defineHelpers() throws Exception {
    if (!defined) {
      JavaBase.define(Access.to(instrumentation, NEIGHBOUR), NEIGHBOUR, HELPERS, Map.of());
      defined = true;
    }
  }

  private static void say(String problem) {
    Messages.say("JNA's " + problem + "; left as it is");
  }
}
