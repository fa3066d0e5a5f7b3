package dev.offcut.command;

import dev.offcut.handle.Handle;
import dev.offcut.handle.HandleType;
import dev.offcut.handle.Handles;
import dev.offcut.memory.MemoryPool;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A program with two copies of Offcut's libraries, which closes a pool of each at a line. */
final class CopiesProgram {
  private static final List<Object> HELD = new ArrayList<>();

  private CopiesProgram() {}

  /** In each copy 100 handles are opened, 30 closed and 20 forgotten. */
  public static void main(String[] args) throws Exception {
    for (int copy = 1; copy <= 2; copy++) {
      // Not closed: the classes stay in use.
      @SuppressWarnings("resource")
      ClassLoader loader = new URLClassLoader(paths(), ClassLoader.getPlatformClassLoader());
      Object part =
          Class.forName(CopiesProgram.class.getName() + "$Part", true, loader)
              .getConstructor(int.class)
              .newInstance(copy);
      HELD.add(part);
    }
    System.out.println("open");
    System.in.read();
    for (Object part : HELD) {
      part.getClass().getMethod("closeOne").invoke(part);
    }
    System.out.println("done");
  }

  private static URL[] paths() throws MalformedURLException {
    List<URL> urls = new ArrayList<>();
    for (String path : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      urls.add(Path.of(path).toUri().toURL());
    }
    return urls.toArray(URL[]::new);
  }

  public static final class Part {
    private final List<Context> open = new ArrayList<>();
    private final MemoryPool kept;
    private final MemoryPool passing;

    public Part(int copy) {
      for (int i = 0; i < 80; i++) {
        open.add(new Context());
      }
      for (int i = 0; i < 30; i++) {
        open.removeLast().close();
      }
      for (int i = 0; i < 20; i++) {
        Context.forget();
      }
      if (!Handles.drain(Duration.ofSeconds(30))) {
        throw new IllegalStateException("not drained");
      }
      kept = MemoryPool.named("kept " + copy).create();
      kept.owner().allocateChunk(1 << 20);
      passing = MemoryPool.named("passing " + copy).create();
    }

    public void closeOne() {
      passing.close();
    }
  }

  private static final class Context extends Handle {
    private static final HandleType TYPE =
        HandleType.named("copied").releaser(value -> {}).create();

    private Context() {
      open(() -> 1);
    }

    @Override
    protected HandleType type() {
      return TYPE;
    }

    @SuppressWarnings("resource") // that is what it is about
    static void forget() {
      new Context();
    }
  }
}
