package dev.offcut.objectstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.objectstream.Model.LineItem;
import dev.offcut.objectstream.Model.Order;
import dev.offcut.test.OwnLoader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.ref.WeakReference;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Classes come from the loader that was given. */
class LoadersTest {
  private static final StreamPolicy POLICY =
      StreamPolicy.allow(Order.class, LineItem.class, Model.Status.class)
          .allowCollections()
          .build();

  /** Defines the model itself. */
  private static ClassLoader own() {
    return new OwnLoader(Model.class.getName());
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
    ClassLoader first = own();
    ClassLoader second = own();
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
    try (SafeObjectInputStream in = POLICY.open(new ByteArrayInputStream(order()), own())) {
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
    ClassLoader own = own();
    read(own);
    return new WeakReference<>(own);
  }
}
