package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.handle.Handles;
import dev.offcut.test.Await;
import dev.offcut.test.OwnLoader;
import java.lang.ref.WeakReference;
import java.time.Duration;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;

/** A web application with both libraries in its own class loader, which must not outlive it. */
class UnloadTest {
  /** The application. */
  public static final class Application implements Runnable {
    /** For the reflection of the server. */
    public Application() {}

    @Override
    public void run() {
      MemoryPool pool = MemoryPool.named("application").decay(Duration.ofSeconds(1)).create();
      Owner owner = pool.owner().child("sessions").create();
      try (PoolArena arena = owner.openArena()) {
        arena.allocate(1_000);
      }
      try (BlockHeap heap = owner.openHeap()) {
        heap.free(heap.allocate(100));
      }
      owner.close();
      pool.close();
      if (Handles.shutdown().types().stream().anyMatch(type -> type.open() > 0)) {
        throw new AssertionError("everything was closed");
      }
    }
  }

  @Test
  void close_ofAPool_letsTheLoaderOfTheLibraryGo() throws Exception {
    awaitUnloading();
  }

  @Test
  void close_ofAPoolWhileARecordingIsOn_letsTheLoaderOfTheLibraryGo() throws Exception {
    try (Recording recording = new Recording()) {
      recording.enable("offcut.PoolStatistics").withPeriod(Duration.ofSeconds(1));
      recording.start();
      awaitUnloading();
    }
  }

  private static void awaitUnloading() throws Exception {
    WeakReference<ClassLoader> loader = deploy();
    Await.until(
        "the loader is collected",
        () -> {
          System.gc();
          return loader.refersTo(null);
        });
  }

  private static WeakReference<ClassLoader> deploy() throws Exception {
    ClassLoader loader = new OwnLoader("dev.offcut.");
    Class<?> application = loader.loadClass(Application.class.getName());
    assertThat(application.getClassLoader()).isSameAs(loader);
    ((Runnable) application.getConstructor().newInstance()).run();
    return new WeakReference<>(loader);
  }
}
