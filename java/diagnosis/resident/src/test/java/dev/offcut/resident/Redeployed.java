package dev.offcut.resident;

import dev.offcut.test.OwnLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A program with class loaders that it keeps, or that nothing refers to; it says so, and waits. */
final class Redeployed {
  static final int LOADERS = 24;
  static final String KEPT = "kept";

  private Redeployed() {}

  /** Has classes of its own that are large. */
  private static final class Application extends OwnLoader {
    private static final List<String> LARGE =
        List.of(
            "org.assertj.core.api.Assertions",
            "org.assertj.core.api.Assertions_",
            "org.assertj.core.api.AbstractIterableAssert",
            "org.assertj.core.api.AbstractObjectArrayAssert",
            "org.assertj.core.api.BDDAssertions",
            "org.assertj.core.api.AssertionsForClassTypes",
            "org.assertj.core.api.WithAssertions");

    Application() {
      super("org.assertj.core.api.");
    }

    void deploy() {
      for (String name : LARGE) {
        try {
          Class.forName(name, true, this);
        } catch (ClassNotFoundException e) {
          // another version of the library
        }
      }
    }
  }

  /** {@code arguments}: whether it keeps them. */
  public static void main(String[] arguments) throws InterruptedException {
    List<ClassLoader> kept = new ArrayList<>();
    for (int i = 0; i < LOADERS; i++) {
      Application application = new Application();
      application.deploy();
      kept.add(application);
    }
    if (!arguments[0].equals(KEPT)) {
      kept.clear();
    }
    System.out.println(Holder.READY);
    new CountDownLatch(1).await();
    System.out.println(kept);
  }
}
