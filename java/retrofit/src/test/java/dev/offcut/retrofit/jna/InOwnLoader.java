package dev.offcut.retrofit.jna;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A server that runs a program twice at a time, in class loaders that share nothing. */
public final class InOwnLoader {
  private static final int LOADERS = 2;

  private InOwnLoader() {}

  /** The arguments: the program's class path, one entry each, {@code --}, and its arguments. */
  public static void main(String[] args) throws Exception {
    int end = Arrays.asList(args).indexOf("--");
    URL[] path = new URL[end];
    for (int i = 0; i < end; i++) {
      path[i] = Path.of(args[i]).toUri().toURL();
    }
    String[] rest = Arrays.copyOfRange(args, end + 1, args.length);
    ExecutorService executor = Executors.newFixedThreadPool(LOADERS);
    Callable<Boolean> run = () -> run(path, rest);
    for (Future<?> each : executor.invokeAll(Collections.nCopies(LOADERS, run))) {
      each.get();
    }
    executor.shutdown();
  }

  private static boolean run(URL[] path, String[] args) throws Exception {
    try (URLClassLoader loader = new URLClassLoader(path, ClassLoader.getPlatformClassLoader())) {
      Class<?> program = loader.loadClass(MemoryProgram.class.getName());
      program.getMethod("main", String[].class).invoke(null, (Object) args);
      return true;
    }
  }
}
