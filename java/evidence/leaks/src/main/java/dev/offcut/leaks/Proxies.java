package dev.offcut.leaks;

import java.lang.invoke.MethodHandles;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import net.bytebuddy.implementation.SuperMethodCall;
import net.bytebuddy.matcher.ElementMatchers;
import org.jspecify.annotations.Nullable;

/** A factory generates a class for each object, in the class loader of the application. */
public final class Proxies {
  private static final int OBJECTS = 8_000;
  private static @Nullable Class<? extends Adapter> shared;

  private Proxies() {}

  /** What is generated extends this. */
  public static class Adapter {
    public String name() {
      return "x";
    }
  }

  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    Observer.begin();
    long sum = 0;
    for (int i = 0; i < OBJECTS; i++) {
      Class<? extends Adapter> type = fixed && shared != null ? shared : generate();
      shared = type;
      sum += type.getConstructor().newInstance().name().length();
    }
    Observer.end();
    System.out.println("sum " + sum);
  }

  private static Class<? extends Adapter> generate() throws IllegalAccessException {
    MethodHandles.Lookup lookup =
        MethodHandles.privateLookupIn(Adapter.class, MethodHandles.lookup());
    DynamicType.Unloaded<Adapter> made =
        new ByteBuddy()
            .subclass(Adapter.class)
            .method(ElementMatchers.isDeclaredBy(Adapter.class))
            .intercept(SuperMethodCall.INSTANCE)
            .make();
    ClassLoader loader = Proxies.class.getClassLoader();
    return made.load(loader, ClassLoadingStrategy.UsingLookup.of(lookup)).getLoaded(); // the leak
  }
}
