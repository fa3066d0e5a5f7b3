package dev.offcut.handle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.Await;
import dev.offcut.test.OwnLoader;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;

class ShutdownTest {
  private static final Duration LIMIT = Duration.ofMinutes(5);

  @Test
  void shutdown_ofALibraryInALoaderOfItsOwn_letsTheLoaderGo() throws Exception {
    undeploy(0);
  }

  @Test
  void shutdown_whileARecordingIsOn_letsTheLoaderGo() throws Exception {
    try (Recording recording = new Recording()) {
      recording.enable("offcut.HandleStatistics").withPeriod(Duration.ofSeconds(1));
      recording.start();
      undeploy(0);
    }
  }

  @Test
  void shutdown_withOpenHandles_saysHowMany() throws Exception {
    undeploy(3);
  }

  /**
   * The loader goes after the program that left so many handles open. A recorder lets go of the
   * program's hook only when its own thread has run once more, which is a matter of seconds.
   */
  private static void undeploy(int left) throws Exception {
    WeakReference<ClassLoader> loader = run(left);
    Await.until(
        "the loader is collected",
        () -> {
          System.gc();
          return loader.refersTo(null);
        });
  }

  private static WeakReference<ClassLoader> run(int left) throws Exception {
    ClassLoader loader = new OwnLoader("dev.offcut.");
    Class<?> program = loader.loadClass(Undeployed.class.getName());
    assertThat(program.getClassLoader()).isSameAs(loader);
    @SuppressWarnings("unchecked")
    var run = (Callable<Long>) program.getConstructor(int.class).newInstance(left);
    assertThat(run.call()).isEqualTo(left);
    return new WeakReference<>(loader);
  }

  @Test
  void shutdown_thenAHandle_startsTheNetAgain() {
    HandleType type = HandleType.named("ShutdownTest").releaser(Native::close).create();
    Thing before = Thing.open(type);
    Cleaner own = Cleaner.create(Thread::new);
    assertThat(Handles.shutdown().of(type).open()).isOne();
    assertThat(Reaper.isStopped()).isTrue();
    long value = Thing.forget(type);
    boolean[] cleaned = new boolean[1];
    register(own, cleaned);
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(Native.closes(value)).isOne();
    assertThat(cleaned[0]).isTrue();
    before.close();
    assertThat(Native.closes(before.value())).isOne();
  }

  private static void register(Cleaner own, boolean[] cleaned) {
    own.register(new Object(), () -> cleaned[0] = true);
  }

  @Test
  void drain_whileAnotherThreadShutsDown_ends() throws Exception {
    HandleType type = HandleType.named("ShutdownTest.drain").releaser(Native::close).create();
    AtomicBoolean over = new AtomicBoolean();
    Thread other =
        new Thread(
            () -> {
              while (!over.get()) {
                Handles.shutdown();
              }
            });
    other.start();
    try {
      long value = Thing.forget(type);
      assertThat(Handles.drain(LIMIT)).isTrue();
      assertThat(Native.closes(value)).isOne();
    } finally {
      over.set(true);
      other.join();
    }
  }
}
