package dev.offcut.retrofit.stream;

import java.io.ObjectInputStream;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The program of the random graphs. Prints, for each world of class loaders, the digest of all that
 * was read in it; it depends on the seed and the number of the world only.
 */
public final class GraphProgram {
  private static final int PLAYS = 40;
  private static final int THREADS = 2;

  private final long seed;
  private final Queue<Loader> loaders = new ConcurrentLinkedQueue<>();

  /** Worlds that a JVM without the agent kept. */
  private final Set<Integer> mayKeep = new TreeSet<>();

  private GraphProgram(long seed) {
    this.seed = seed;
  }

  /**
   * The arguments: the seed; {@code first COUNT} or {@code show WORLD}; worlds that may be kept.
   */
  public static void main(String[] args) throws Exception {
    GraphProgram program = new GraphProgram(Long.parseLong(args[0]));
    for (int i = 3; i < args.length; i++) {
      program.mayKeep.add(Integer.parseInt(args[i]));
    }
    int number = Integer.parseInt(args[2]);
    if (args[1].equals("show")) {
      System.out.print(program.world(number));
    } else {
      program.run(number);
    }
    System.out.println("end");
  }

  private void run(int worlds) throws Exception {
    AtomicInteger next = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    Future<?>[] running = new Future<?>[THREADS];
    for (int i = 0; i < THREADS; i++) {
      running[i] =
          threads.submit(
              () -> {
                for (int n = next.getAndIncrement(); n < worlds; n = next.getAndIncrement()) {
                  System.out.println("world " + n + " " + digest(world(n)));
                }
                return null;
              });
    }
    for (Future<?> each : running) {
      each.get();
    }
    threads.shutdown();
    for (int world : kept()) {
      System.out.println("kept " + world);
    }
  }

  /** Each world has its own loaders, which nothing holds once it is over. */
  private String world(int number) throws Exception {
    Random random = new Random(seed + number * 0x9E3779B97F4A7C15L);
    GraphWorld world = new GraphWorld(random);
    StringBuilder log = new StringBuilder();
    for (int i = 0; i < PLAYS; i++) {
      log.append("play ").append(i).append('\n').append(GraphPlay.play(random, world));
    }
    for (ClassLoader loader : world.loaders) {
      if (loader != GraphProgram.class.getClassLoader()) {
        loaders.add(new Loader(number, new WeakReference<>(loader)));
      }
    }
    world.loaders.clear();
    return log.toString();
  }

  private static String digest(String text) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    byte[] bytes = digest.digest(text.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(bytes, 0, 8);
  }

  /**
   * The worlds with loaders that cannot be unloaded. Given time, since a compiler at work may hold
   * some, and reading meanwhile, since only that empties the JDK's own caches of what was
   * collected: a minute, in which it looks ever less often.
   */
  private Set<Integer> kept() throws Exception {
    for (int i = 0; i < 100 && !isExpected(); i++) {
      System.gc();
      Thread.sleep(12L * i);
      new ObjectInputStream(StreamCases.bytes(new GraphNodes.Leaf())).readObject();
      loaders.removeIf(loader -> loader.is().get() == null);
    }
    Set<Integer> worlds = new TreeSet<>();
    loaders.forEach(loader -> worlds.add(loader.world()));
    return worlds;
  }

  /** Whether none is left but those of worlds that a stock JVM keeps, too: nothing else matters. */
  private boolean isExpected() {
    return loaders.stream().allMatch(loader -> mayKeep.contains(loader.world()));
  }

  private record Loader(int world, WeakReference<ClassLoader> is) {}
}
