package dev.offcut.agent.base;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Into some packages of the JDK. To be forgotten when the helpers are defined: nobody is to find
 * it.
 *
 * <p>The packages are opened to a module made for it: that contains {@link Key} and nothing else.
 */
public final class Access {
  /** By name: it is loaded once, by the loader below. */
  private static final String KEY = "dev.offcut.agent.base.Key";

  private final Lookup own;

  private Access(Lookup own) {
    this.own = own;
  }

  /**
   * Gives access to the package of a class, and to those of the named packages that its module has,
   * in one step: each step takes milliseconds.
   */
  public static Access to(Instrumentation instrumentation, Class<?> neighbour, String... packages)
      throws IOException, ReflectiveOperationException {
    KeyLoader loader = new KeyLoader();
    Class<?> key = loader.load();
    Map<String, Set<Module>> opened = new HashMap<>();
    opened.put(neighbour.getPackageName(), Set.of(key.getModule()));
    Module module = neighbour.getModule();
    Set<String> there = packages.length == 0 ? Set.of() : module.getPackages();
    for (String one : packages) {
      if (there.contains(one)) {
        opened.put(one, Set.of(key.getModule()));
      }
    }
    instrumentation.redefineModule(module, Set.of(), Map.of(), opened, Set.of(), Map.of());
    return new Access(loader.lookup(key));
  }

  /** As the class would look up itself. */
  public Lookup lookup(Class<?> neighbour) throws IllegalAccessException {
    return MethodHandles.privateLookupIn(neighbour, own);
  }

  /** Defines a class in the package of one of java.base. */
  void define(Class<?> neighbour, byte[] file) throws IllegalAccessException {
    lookup(neighbour).defineClass(file);
  }

  /** Loads {@link Key} into a module where nothing else is, and takes its lookup. */
  private static final class KeyLoader extends ClassLoader implements Consumer<Lookup> {
    private @Nullable Lookup lookup;

    KeyLoader() {
      super(null);
    }

    Class<?> load() throws IOException {
      byte[] bytes = Helpers.file(KEY.replace('.', '/'));
      return defineClass(KEY, bytes, 0, bytes.length);
    }

    @Override
    public void accept(Lookup own) {
      lookup = own;
    }

    Lookup lookup(Class<?> key) throws ClassNotFoundException {
      Class.forName(key.getName(), true, this);
      return Objects.requireNonNull(lookup);
    }
  }
}
