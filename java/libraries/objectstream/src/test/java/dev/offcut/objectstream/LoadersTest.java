package dev.offcut.objectstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.objectstream.Model.LineItem;
import dev.offcut.objectstream.Model.Order;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.ref.WeakReference;
import java.math.BigDecimal;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Classes come from the loader that was given. */
class LoadersTest {
  private static final StreamPolicy POLICY =
      StreamPolicy.allow(Order.class, LineItem.class, Model.Status.class)
          .allowCollections()
          .build();

  /** Defines the model itself. */
  private static final class Own extends ClassLoader {
    Own() {
      super("own", LoadersTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        if (loaded != null) {
          return loaded;
        }
        return name.startsWith(Model.class.getName())
            ? define(name)
            : super.loadClass(name, resolve);
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      String file = "/" + name.replace('.', '/') + ".class";
      try (InputStream in = LoadersTest.class.getResourceAsStream(file)) {
        byte[] bytes = Objects.requireNonNull(in, name).readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  private static byte[] order() {
    Order order = new Order();
    order.lines.add(new LineItem("a", 1, BigDecimal.ONE));
    return Streams.of(order);
  }

  private static Object read(ClassLoader loader) throws IOException, ClassNotFoundException {
    try (SafeObjectInputStream in = POLICY.open(new ByteArrayInputStream(order()), loader)) {
      return in.readObject(Object.class);
    }
  }

  @Test
  void open_withTwoLoaders_givesTwoClassesOfOneName() throws Exception {
    Own first = new Own();
    Own second = new Own();
    Object fromFirst = read(first);
    Object fromSecond = read(second);
    Object fromHere = read(getClass().getClassLoader());
    assertThat(fromFirst.getClass().getName()).isEqualTo(Order.class.getName());
    assertThat(fromFirst.getClass().getClassLoader()).isSameAs(first);
    assertThat(fromSecond.getClass().getClassLoader()).isSameAs(second);
    assertThat(fromHere).isInstanceOf(Order.class);
    assertThat(read(first)).hasSameClassAs(fromFirst);
  }

  @Test
  void readObject_ofTheOtherLoadersClass_saysThatLoadersDiffer() throws Exception {
    try (SafeObjectInputStream in = POLICY.open(new ByteArrayInputStream(order()), new Own())) {
      assertThatThrownBy(() -> in.readObject(Order.class))
          .isInstanceOf(RootTypeException.class)
          .hasMessageContaining("pass the loader of the type that was asked for to open(…)");
    }
  }

  @Test
  void open_withLookup_takesItsClassesLoader() throws Exception {
    try (SafeObjectInputStream in =
        POLICY.open(new ByteArrayInputStream(order()), MethodHandles.lookup())) {
      assertThat(in.readObject(Order.class)).isNotNull();
    }
    MethodHandles.Lookup boot = MethodHandles.publicLookup(); // of Object, whose loader is null
    try (SafeObjectInputStream in = POLICY.open(new ByteArrayInputStream(order()), boot)) {
      assertThatThrownBy(() -> in.readObject(Order.class))
          .isInstanceOf(ClassNotFoundException.class);
    }
  }

  @Test
  @Timeout(600)
  void policy_afterUse_keepsNoLoader() throws Exception {
    WeakReference<ClassLoader> loader = readByLoaderOfItsOwn();
    while (loader.get() != null) {
      System.gc();
      Thread.onSpinWait();
    }
    assertThat(POLICY.allowedNames()).isNotEmpty();
  }

  private static WeakReference<ClassLoader> readByLoaderOfItsOwn() throws Exception {
    Own own = new Own();
    read(own);
    return new WeakReference<>(own);
  }
}
