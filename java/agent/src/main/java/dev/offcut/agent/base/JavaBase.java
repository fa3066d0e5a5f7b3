package dev.offcut.agent.base;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Puts helper classes into java.base, from where every class of the program sees them.
 *
 * <p><b>Why there.</b> A rewritten class may be in any class loader and in any module, and finds by
 * name only what its own loader finds. There are three ways to be found:
 *
 * <ul>
 *   <li>A jar appended to the bootstrap class path. A JVM 25 then takes no class of the application
 *       from its shared archive (AppCDS) any more, a JVM 17 still does; that costs the start of the
 *       program more than a helper is worth. Loaders that ask the bootstrap loader for {@code
 *       java.*} only, as OSGi's, do not find it at all.
 *   <li>A copy in each loader, beside the rewritten class. To define it takes a class of the same
 *       package that is loaded already, which there is none of while the first is being loaded; or
 *       an initializer that carries the copies along. Each copy is compiled by itself.
 *   <li>One copy in a package that java.base exports. Every module reads java.base, and every class
 *       loader must ask its parents for {@code java.*}, since it cannot define such a class.
 *       Nothing is appended, and nothing of the program is opened, asked or changed.
 * </ul>
 *
 * <p>So it is the third: {@code a.b.Name} becomes, for one, {@code
 * java.util.concurrent.OffcutName}. Helpers hold no static reference to a program's object, so that
 * its class loaders can go.
 *
 * <p><b>What is opened</b> is that one package, to a module made for it, which contains {@link Key}
 * and is forgotten at once. The program gets no further into java.base than before.
 *
 * <p><b>Threads.</b> Any, without a lock: this runs while classes are being loaded. Of two that
 * define the same helper one is first, and the other goes on with what is there.
 */
public final class JavaBase {
  private final Instrumentation instrumentation;
  private final Class<?> neighbour;
  private final Map<String, String> standIns;
  private final Set<Class<?>> defined = ConcurrentHashMap.newKeySet();

  /** Puts helpers beside a class of java.base: into its package, which must be exported. */
  public JavaBase(Instrumentation instrumentation, Class<?> neighbour) {
    this(instrumentation, neighbour, Map.of());
  }

  /**
   * Likewise, with stand-ins for classes that cannot be compiled against: what a helper says of a
   * stand-in it then says of the class with that internal name, private to the package or not.
   */
  public JavaBase(
      Instrumentation instrumentation, Class<?> neighbour, Map<String, String> standIns) {
    this.instrumentation = instrumentation;
    this.neighbour = neighbour;
    this.standIns = standIns;
  }

  /** The internal name of a helper beside a class of java.base. */
  public static String nameOf(Class<?> neighbour, Class<?> helper) {
    return Helpers.newName(neighbour, helper);
  }

  /**
   * Defines these outermost classes, and all that are nested in them, unless they are there
   * already.
   */
  public void define(Class<?>... helpers) throws IOException, ReflectiveOperationException {
    List<Class<?>> wanted = List.of(helpers);
    if (defined.containsAll(wanted)) {
      return;
    }
    Lookup lookup = lookup();
    for (Map.Entry<String, byte[]> helper : Helpers.read(neighbour, standIns, helpers).entrySet()) {
      define(lookup, helper.getKey(), helper.getValue());
    }
    defined.addAll(wanted);
  }

  private static void define(Lookup lookup, String name, byte[] bytes)
      throws ReflectiveOperationException {
    try {
      lookup.defineClass(bytes);
    } catch (LinkageError e) {
      try {
        Class.forName(name, false, null);
      } catch (ClassNotFoundException missing) {
        missing.addSuppressed(e);
        throw missing;
      }
    }
  }

  private Lookup lookup() throws IOException, ReflectiveOperationException {
    Class<?> key = new KeyLoader().load();
    instrumentation.redefineModule(
        neighbour.getModule(),
        Set.of(),
        Map.of(),
        Map.of(neighbour.getPackageName(), Set.of(key.getModule())),
        Set.of(),
        Map.of());
    Lookup own = (Lookup) key.getMethod("lookup").invoke(null);
    return MethodHandles.privateLookupIn(neighbour, own);
  }

  /** Loads {@link Key} into a module where nothing else is. */
  private static final class KeyLoader extends ClassLoader {
    KeyLoader() {
      super(null);
    }

    Class<?> load() throws IOException {
      try (InputStream file = Helpers.open(Key.class, Helpers.internalName(Key.class))) {
        byte[] bytes = file.readAllBytes();
        return defineClass(Key.class.getName(), bytes, 0, bytes.length);
      }
    }
  }
}
