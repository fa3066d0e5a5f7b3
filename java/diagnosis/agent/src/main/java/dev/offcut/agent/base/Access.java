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
 * <p>Into java.base by a helper that defines the others, if it can still be had ({@link Handover}).
 * Else the packages are opened to a module made for it: that contains {@link Key} and nothing else.
 */
public final class Access {
  /** By name: it is loaded once, by the loader below. */
  private static final String KEY = "dev.offcut.agent.base.Key";

  /** One of the two is there. */
  private final @Nullable Lookup own;

  private final @Nullable Consumer<byte[]> definer;

  private Access(@Nullable Lookup own, @Nullable Consumer<byte[]> definer) {
    this.own = own;
    this.definer = definer;
  }

  /** To define classes in java.base, before the program runs; the packages as below. */
  public static Access toDefine(
      Instrumentation instrumentation, Class<?> neighbour, String... packages)
      throws IOException, ReflectiveOperationException {
    String name = Helpers.DEFINER.names().get(0);
    Consumer<byte[]> definer =
        Handover.definer(instrumentation, name.replace('/', '.'), Helpers.file(name));
    return definer == null ? to(instrumentation, neighbour, packages) : new Access(null, definer);
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
    return new Access(loader.lookup(key), null);
  }

  /** As the class would look up itself: not with access that is only there to define classes. */
  public Lookup lookup(Class<?> neighbour) throws IllegalAccessException {
    return MethodHandles.privateLookupIn(neighbour, Objects.requireNonNull(own));
  }

  /** Defines a class in the package of one of java.base. */
  void define(Class<?> neighbour, byte[] file) throws IllegalAccessException {
    if (definer != null) {
      definer.accept(file);
    } else {
      lookup(neighbour).defineClass(file);
    }
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
