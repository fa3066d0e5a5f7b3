package dev.offcut.agent.base;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

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
 * <p><b>What is opened</b> is that one package, to a module that is forgotten at once: see {@link
 * Access}. The program gets no further into java.base than before.
 *
 * <p><b>Threads.</b> Any, without a lock: this runs while classes are being loaded. Of two that
 * define the same helper one is first, and the other goes on with what is there.
 */
public final class JavaBase {
  private final Instrumentation instrumentation;
  private final Class<?> neighbour;
  private final Map<String, String> texts;
  private final Set<String> defined = ConcurrentHashMap.newKeySet();

  /** Puts helpers beside a class of java.base: into its package, which must be exported. */
  public JavaBase(Instrumentation instrumentation, Class<?> neighbour) {
    this(instrumentation, neighbour, Map.of());
  }

  /**
   * Likewise, with texts that are replaced in the helpers, such as the internal names of stand-ins
   * for classes that cannot be compiled against: what a helper says of a stand-in it then says of
   * the class with the other name, private to the package or not.
   */
  public JavaBase(Instrumentation instrumentation, Class<?> neighbour, Map<String, String> texts) {
    this.instrumentation = instrumentation;
    this.neighbour = neighbour;
    this.texts = texts;
  }

  /** The internal name of a helper beside a class of java.base. */
  public static String nameOf(Class<?> neighbour, Class<?> helper) {
    return Helpers.newName(neighbour, Helpers.internalName(helper));
  }

  /**
   * Defines these outermost classes, and all that are nested in them, unless they are there
   * already.
   */
  public void define(Class<?>... helpers) throws IOException, ReflectiveOperationException {
    Map<String, Class<?>> places = new LinkedHashMap<>();
    for (Class<?> helper : helpers) {
      places.put(Helpers.internalName(helper), helper);
    }
    define(null, places);
  }

  /** Likewise, by internal names: those of classes of the agent, which need not be loaded. */
  public void define(String... helpers) throws IOException, ReflectiveOperationException {
    define(null, places(helpers));
  }

  /** Likewise, with an access to more than one package. */
  public void define(Access access, String... helpers)
      throws IOException, ReflectiveOperationException {
    define(access, places(helpers));
  }

  private static Map<String, Class<?>> places(String... helpers) {
    Map<String, Class<?>> places = new LinkedHashMap<>();
    for (String helper : helpers) {
      places.put(helper, JavaBase.class);
    }
    return places;
  }

  /**
   * The class file of a helper that another one is to define when it can: as a text that can be
   * replaced in that one, a character a byte.
   */
  public String text(String helper) throws IOException {
    Map<String, Class<?>> place = Map.of(helper, JavaBase.class);
    byte[] file = Helpers.read(neighbour, texts, place).values().iterator().next();
    StringBuilder text = new StringBuilder(2 * file.length);
    for (byte one : file) {
      if (one > 0) {
        text.append((char) one);
      } else {
        // As in class files: 0, and what is above 127, are two bytes.
        text.append((char) (0xC0 | ((one & 0xC0) >> 6))).append((char) (0x80 | (one & 0x3F)));
      }
    }
    return text.toString();
  }

  private void define(@Nullable Access given, Map<String, Class<?>> helpers)
      throws IOException, ReflectiveOperationException {
    if (defined.containsAll(helpers.keySet())) {
      return;
    }
    Access access = given != null ? given : Access.to(instrumentation, neighbour);
    Lookup lookup = access.lookup(neighbour);
    for (Map.Entry<String, byte[]> helper : Helpers.read(neighbour, texts, helpers).entrySet()) {
      define(lookup, helper.getKey(), helper.getValue());
    }
    defined.addAll(helpers.keySet());
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
}
