package dev.offcut.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Versions of Lucene that lack something, made of the one at hand and a class of our own. */
class UnknownLuceneTest {
  private static final String NOT_KNOWN =
      "Lucene "
          + System.getProperty("lucene.expected")
          + " is not known to Offcut (%s): use Lucene 9.12 or 10, or another directory";

  @TempDir private Path work = Path.of("");

  /** All classes of the tests anew, with one in place of Lucene's. */
  private ClassLoader withClass(String name, String source) throws IOException {
    Path file = Files.writeString(work.resolve(name + ".java"), source);
    Path classes = Files.createDirectory(work.resolve("classes"));
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(
                    null,
                    null,
                    null,
                    "-proc:none",
                    "-cp",
                    System.getProperty("java.class.path"),
                    "-d",
                    classes.toString(),
                    file.toString()))
        .isZero();
    List<URL> path = new ArrayList<>();
    path.add(classes.toUri().toURL());
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      path.add(Path.of(entry).toUri().toURL());
    }
    return new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }

  private static Class<?> in(ClassLoader loader, String name) throws ClassNotFoundException {
    return Class.forName(name, true, loader);
  }

  @Test
  void poolDirectory_withInputsOfAnotherKind_saysSoAndLeavesNothing() throws Exception {
    ClassLoader loader =
        withClass(
            "MemorySegmentAccessInput",
            "package org.apache.lucene.store; public class MemorySegmentAccessInput {}");
    Class<?> pools = in(loader, "dev.offcut.memory.MemoryPool");
    Object named = pools.getMethod("named", String.class).invoke(null, "unknown");
    Object pool = named.getClass().getMethod("create").invoke(named);
    Object owner = pools.getMethod("owner").invoke(pool);
    var on =
        in(loader, "dev.offcut.lucene.PoolDirectory")
            .getMethod("on", in(loader, "dev.offcut.memory.Owner"));
    assertThatThrownBy(() -> on.invoke(null, owner))
        .cause()
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageMatching(
            notKnown("its files cannot be kept in the pool: .*IncompatibleClassChangeError.*"));
    assertThatCode(() -> pools.getMethod("close").invoke(pool)).doesNotThrowAnyException();
  }

  @Test
  void mappedDirectory_withoutGroups_saysSo() throws Exception {
    ClassLoader loader =
        withClass(
            "MMapDirectory",
            """
            package org.apache.lucene.store;
            public abstract class MMapDirectory extends FSDirectory {
              public static final long DEFAULT_MAX_CHUNK_SIZE = Long.parseLong("1");
              public MMapDirectory(java.nio.file.Path path, LockFactory locks, long bytes)
                  throws java.io.IOException {
                super(path, locks);
              }
              public IndexInput openInput(String name, IOContext context) {
                throw new IllegalStateException();
              }
            }
            """);
    var on = in(loader, "dev.offcut.lucene.MappedDirectory").getMethod("on", Path.class);
    assertThatThrownBy(() -> on.invoke(null, work))
        .cause()
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageMatching(
            notKnown("its MMapDirectory does not map each file for itself: .*NoSuch.*Error.*"));
  }

  private static String notKnown(String why) {
    return NOT_KNOWN.replace("(", "\\(").replace(")", "\\)").replace("%s", why);
  }
}
