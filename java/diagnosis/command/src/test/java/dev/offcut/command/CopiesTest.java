package dev.offcut.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import jdk.jfr.Event;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program with two copies of the library: their counts are added up, not taken for one. */
class CopiesTest {
  private static final String EVENT = "dev.offcut.command.TrackingEvents$HandleStatistics";

  @TempDir private Path folder = Path.of("");

  /** Has its own copy of each class of the tests. */
  private static Class<? extends Event> copy() throws ReflectiveOperationException {
    URL here = CopiesTest.class.getProtectionDomain().getCodeSource().getLocation();
    // Not closed: the class stays in use.
    @SuppressWarnings("resource")
    URLClassLoader loader = new URLClassLoader(new URL[] {here}, null);
    return Class.forName(EVENT, true, loader).asSubclass(Event.class);
  }

  private static void commit(Class<? extends Event> type, long opened, long open)
      throws ReflectiveOperationException {
    Constructor<? extends Event> constructor = type.getDeclaredConstructor();
    constructor.setAccessible(true);
    Event event = constructor.newInstance();
    set(event, "type", "zstd_ctx");
    set(event, "opened", opened);
    set(event, "closed", opened - open);
    set(event, "open", open);
    event.commit();
  }

  private static void set(Event event, String name, Object value)
      throws ReflectiveOperationException {
    Field field = event.getClass().getDeclaredField(name);
    field.setAccessible(true);
    field.set(event, value);
  }

  @Test
  void stats_twoCopies_areAddedUp() throws Exception {
    Class<? extends Event> one = copy();
    Class<? extends Event> other = copy();
    Path file = folder.resolve("copies.jfr");
    try (Recording recording = new Recording()) {
      recording.enable(one);
      recording.enable(other);
      recording.start();
      commit(one, 100, 10);
      commit(other, 7, 1);
      commit(one, 200, 20);
      recording.stop();
      recording.dump(file);
    }
    Words words = new Words();
    assertThat(words.run("report", file.toString())).isZero();
    assertThat(words.printed()).containsPattern("zstd_ctx +207 +186 +0 +21");
  }
}
