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
 * Into some packages of java.base, which are opened to a module made for it: that contains {@link
 * Key} and nothing else. To be forgotten when the helpers are defined: nobody is to find it.
 */
public final class Access {
  /** By name: it is loaded once, by the loader below. */
  private static final String KEY = "dev.offcut.agent.base.Key";

  private final Lookup own;

  private Access(Lookup own) {
    this.own = own;
  }

  /** To the packages of these classes of java.base, in one step: each takes milliseconds. */
  public static Access to(Instrumentation instrumentation, Class<?>... neighbours)
      throws IOException, ReflectiveOperationException {
    KeyLoader loader = new KeyLoader();
    Class<?> key = loader.load();
    Map<String, Set<Module>> opened = new HashMap<>();
    for (Class<?> neighbour : neighbours) {
      opened.put(neighbour.getPackageName(), Set.of(key.getModule()));
    }
    instrumentation.redefineModule(
        neighbours[0].getModule(), Set.of(), Map.of(), opened, Set.of(), Map.of());
    return new Access(loader.lookup(key));
  }

  /** As the class would look up itself. */
  public Lookup lookup(Class<?> neighbour) throws IllegalAccessException {
    return MethodHandles.privateLookupIn(neighbour, own);
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
