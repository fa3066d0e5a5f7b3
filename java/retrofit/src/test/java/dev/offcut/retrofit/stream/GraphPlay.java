package dev.offcut.retrofit.stream;

import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.rmi.MarshalledObject;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The reading of one stream of random graphs. The classes of the graphs call it wherever a stream
 * calls them, and it decides by chance whether to read on there, how, in which loader and on which
 * thread, or to throw. What is read is written down. Only one thread of a play runs at a time.
 */
public final class GraphPlay {
  private static final ThreadLocal<@Nullable GraphPlay> CURRENT = new InheritableThreadLocal<>();

  /** What the JVM's texts have of addresses, and of numbers that are given by turn. */
  private static final Pattern ADDRESSES =
      Pattern.compile(
          "@[0-9a-f]{5,}|0x[0-9a-f]+|(?<=[Pp]roxy|Lambda[$]|#|[Tt]hread-|worker-)[0-9]+");

  private final Random random;
  private final GraphWorld world;
  private final StringBuilder log = new StringBuilder();
  private final Map<Thread, GraphHandover> threads = new HashMap<>();
  private final Deque<GraphHandover> halfWay = new ArrayDeque<>();
  private @Nullable ObjectInputStream stream;
  private @Nullable ObjectInputStream second;

  /** Callbacks that may still do something: a graph must come to an end. */
  private int left = 12;

  /** Callbacks on the stack that hold a lock: as long as there are some, no other thread runs. */
  private int locks;

  private GraphPlay(Random random, GraphWorld world) {
    this.random = random;
    this.world = world;
  }

  /** Reads random graphs in a world; what was read. */
  static String play(Random random, GraphWorld world) throws Exception {
    GraphPlay play = new GraphPlay(random, world);
    byte[] bytes = new GraphMaker(random).bytes();
    MarshalledObject<?> marshalled = new MarshalledObject<>(new GraphMaker(random).make());
    play.second = world.open(new GraphMaker(random).bytes());
    CURRENT.set(play);
    try {
      play.stream = world.open(bytes);
      if (random.nextInt(6) == 0) {
        play.attempt("rmi", () -> world.reader(marshalled).call());
      }
      for (int i = 1 + random.nextInt(3); i > 0; i--) {
        play.readNext();
      }
      while (!play.halfWay.isEmpty()) {
        play.goOn(play.halfWay.removeLast(), GraphHandover::resume);
      }
    } finally {
      CURRENT.remove();
      play.end();
    }
    return ADDRESSES.matcher(play.log).replaceAll("");
  }

  /** Threads of the JDK that were started meanwhile may inherit a play, and hold it for good. */
  private void end() {
    stream = null;
    second = null;
    threads.clear();
  }

  private void readNext() {
    if (random.nextInt(4) == 0) {
      onThread();
    } else {
      int way = way();
      attempt("read", () -> world.reader().read(stream(), way));
    }
  }

  private ObjectInputStream stream() throws IOException {
    if (stream == null) {
      throw new IOException("no stream");
    }
    return stream;
  }

  private int way() {
    return random.nextInt(GraphReads.WAYS);
  }

  /** Notes the stream that calls, for others to read on from. */
  public static void leak(ObjectInputStream in) {
    GraphPlay play = CURRENT.get();
    if (play != null) {
      play.stream = in;
    }
  }

  /** Writes down a class that a stream found, also if nobody gets to see the object. */
  static void found(@Nullable Class<?> type) {
    GraphPlay play = CURRENT.get();
    if (play != null && type != null) {
      play.log.append("found ").append(Description.type(type)).append('\n');
    }
  }

  /** Reads a part of an object with the reader of its loader; sometimes goes on if that fails. */
  public static @Nullable Object part(ObjectInputStream in, GraphReader reader)
      throws IOException, ClassNotFoundException {
    GraphPlay play = CURRENT.get();
    if (play == null) {
      return in.readObject();
    }
    int way = play.way();
    if (play.random.nextInt(3) == 0) {
      play.attempt("part", () -> reader.read(in, way));
      return null;
    }
    try {
      return reader.read(in, way);
    } catch (IOException | ClassNotFoundException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new InvalidObjectException(Description.problem(e));
    }
  }

  /** A callback, which may do anything with the reader of its loader. */
  public static void again(String where, GraphReader reader) {
    GraphPlay play = chance();
    if (play != null) {
      play.act(where, reader);
    }
  }

  /**
   * Of one that holds a lock or initializes a class: it reads on this thread, and does not fail.
   */
  public static void againHere(String where, GraphReader reader) {
    GraphPlay play = chance();
    if (play != null) {
      play.locks++;
      int way = play.way();
      play.attempt(where, () -> reader.read(play.stream(), way));
      play.locks--;
    }
  }

  private static @Nullable GraphPlay chance() {
    GraphPlay play = CURRENT.get();
    if (play == null || play.left == 0 || play.random.nextBoolean()) {
      return null;
    }
    play.left--;
    return play;
  }

  private void act(String where, GraphReader reader) {
    int way = way();
    GraphHandover own = threads.get(Thread.currentThread());
    if (own != null && locks == 0 && random.nextBoolean()) {
      giveBack(own);
      return;
    }
    switch (random.nextInt(locks == 0 ? 13 : 9)) {
      case 0 -> throw new IllegalStateException(where);
      case 9, 10, 11, 12 -> onThread();
      case 1 -> attempt("other " + where, () -> world.reader().read(stream(), way));
      case 2 -> attempt("second " + where, () -> reader.read(second(), way));
      default -> attempt(where, () -> reader.read(stream(), way));
    }
  }

  private ObjectInputStream second() throws IOException {
    if (second == null) {
      throw new IOException("no second stream");
    }
    return second;
  }

  /** Lets another thread read on, with a reader or with frames of the JDK only. */
  private void onThread() {
    boolean alone = random.nextBoolean();
    boolean virtual = random.nextBoolean();
    int way = way();
    attempt(
        alone ? "alone" : "thread",
        () -> {
          ObjectInputStream in = stream();
          GraphHandover other =
              new GraphHandover(alone ? StreamCases.alone(in) : on(world.reader(), in, way));
          Thread thread = other.thread(virtual);
          threads.put(thread, other);
          goOn(other, task -> task.start(thread));
          return "started";
        });
  }

  private static Callable<?> on(GraphReader reader, ObjectInputStream in, int way) {
    return () -> {
      try {
        return reader.read(in, way);
      } catch (Exception | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new AssertionError(e);
      }
    };
  }

  private void goOn(GraphHandover other, Consumer<GraphHandover> turn) {
    turn.accept(other);
    if (other.isDone()) {
      attempt("done", other::get);
    }
  }

  private void giveBack(GraphHandover own) {
    log.append("half-way\n");
    halfWay.add(own);
    own.giveBack();
  }

  /** Code that may throw anything. */
  private interface Attempt {
    @Nullable Object call() throws Throwable;
  }

  private void attempt(String what, Attempt attempt) {
    String read;
    try {
      read = Description.of(attempt.call()); // of what is half read it may fail
    } catch (Throwable e) {
      read = "fails " + Description.problem(e);
    }
    log.append(what).append(' ').append(read).append('\n');
  }
}
