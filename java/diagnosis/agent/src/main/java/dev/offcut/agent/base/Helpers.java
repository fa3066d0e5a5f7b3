package dev.offcut.agent.base;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Groups of helpers that are defined together: the classes of one package of java.base, each after
 * those it extends. Their class files are in the agent's jar under the names that they have there.
 *
 * <p>By name: nothing finds them before they are defined. After that the agent's own classes call
 * the public ones of {@code java.util.concurrent} as any class would.
 */
public final class Helpers {
  /** What tracking calls, except for arenas. */
  public static final Helpers TRACKING =
      new Helpers(
          "java/util/concurrent/Offcut",
          "TrackingSettings",
          "Atomics",
          "Counts",
          "Probes",
          "Samples",
          "CallSiteRule",
          "Program",
          "Origin",
          "Origin$Classes",
          "OpenOverTime",
          "Owners",
          "CallSite",
          "Sites",
          "Scope",
          "Scope$Slot",
          "Frames",
          "Stack",
          "AddressTable",
          "AddressTable$Stripe",
          "OwnBuffers",
          "Buffers",
          "Blocks",
          "UnsafeMemory",
          "JnaBlocks",
          "NativeBlocks",
          "Registrations",
          "Registrations$Registration",
          "Finalizers",
          "Finalizers$Count",
          "ForcedCollections",
          "BufferPools",
          "ExitCode",
          "NettyChunks",
          "NettyChunks$References",
          "LibraryArenas",
          "NativeLoader",
          "CounterMemory",
          "Arguments");

  /** What the JDK's linker calls, from JDK 22 on. */
  public static final Helpers DOWNCALLS = new Helpers("java/util/concurrent/Offcut", "Downcalls");

  /** What closeables by rule call. */
  public static final Helpers CLOSEABLES =
      new Helpers(
          "java/util/concurrent/Offcut",
          "WatchedNames",
          "OpenEntry",
          "OpenStripe",
          "CollectorThreads",
          "Closeables",
          "Closeables$WatchedKind",
          "Closeables$Type",
          "Guards",
          "Instances");

  /** What the sessions of arenas call. */
  public static final Helpers ARENAS =
      new Helpers(
          "jdk/internal/foreign/Offcut",
          "Arenas",
          "ConfinedList",
          "SharedList",
          "ArenaAccount",
          "ArenaAccount$Fill",
          "OpenArenas",
          "ArenaProbes");

  private final String prefix;
  private final String[] simpleNames;

  /** Helpers in one package: what their names begin with there, and the rest of each name. */
  public Helpers(String prefix, String... simpleNames) {
    this.prefix = prefix;
    this.simpleNames = simpleNames;
  }

  /**
   * The internal names of the classes in java.base, each after those it extends. Made anew: of most
   * groups no program needs them.
   */
  public List<String> names() {
    List<String> names = new ArrayList<>(simpleNames.length);
    for (String simpleName : simpleNames) {
      names.add(prefix.concat(simpleName));
    }
    return names;
  }

  /**
   * Initializes the outermost classes. To be called at once, and not deep down in the program's
   * stack: a class that fails to initialize fails for ever. A list of the JDK's is left to its
   * first use, as without us: it makes a VarHandle.
   */
  public void initialize() throws ClassNotFoundException {
    String dotted = prefix.replace('/', '.');
    for (String simpleName : simpleNames) {
      if (simpleName.indexOf('$') < 0 && !simpleName.endsWith("SharedList")) {
        Class.forName(dotted.concat(simpleName), true, null);
      }
    }
  }

  /** The class file with this internal name, from the agent's jar. */
  static byte[] file(String name) throws IOException {
    ClassLoader loader = Objects.requireNonNull(Helpers.class.getClassLoader());
    try (InputStream file = loader.getResourceAsStream(name.concat(".class"))) {
      if (file == null) {
        throw new FileNotFoundException(name);
      }
      return file.readAllBytes();
    }
  }
}
