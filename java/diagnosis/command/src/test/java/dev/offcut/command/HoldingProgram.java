package dev.offcut.command;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * Holds open objects in ways that are known, until its input ends. A hook closes some of them; the
 * argument {@code exit} ends the program with 5, {@code halt} with 6 and without its hooks, {@code
 * close} closes all.
 */
final class HoldingProgram {
  static final int CACHED = 2_000;
  static final int OF_THREAD = 100;
  static final int CLOSED = 50;
  static final int OF_HOOK = 30;
  static final int EXITED = 5;
  static final int HALTED = 6;

  private static final Map<Integer, Ticket> CACHE = new HashMap<>();
  private static final List<ByteBuffer> BUFFERS = new ArrayList<>();
  private static final List<Ticket> HOOKED = new ArrayList<>();
  private static final CountDownLatch HELD = new CountDownLatch(1);

  private final List<Ticket> own = new ArrayList<>();

  private HoldingProgram() {}

  /** What somebody has to close. */
  static final class Ticket implements AutoCloseable {
    @Override
    public void close() {}
  }

  /** Prints when it holds all. */
  public static void main(String[] args) throws Exception {
    for (int i = 0; i < CACHED; i++) {
      CACHE.put(i, new Ticket());
    }
    for (int i = 0; i < CLOSED; i++) {
      CACHE.put(-1, new Ticket());
      CACHE.get(-1).close();
    }
    for (int i = 0; i < OF_HOOK; i++) {
      HOOKED.add(new Ticket());
    }
    Runtime.getRuntime().addShutdownHook(new Thread(HoldingProgram::closeInHook));
    BUFFERS.add(ByteBuffer.allocateDirect(20 << 20));
    BUFFERS.add(BUFFERS.getFirst().slice(0, 8)); // a part, which is no buffer of its own
    Thread.ofPlatform().daemon().name("worker-7").start(new HoldingProgram()::work);
    HELD.await();
    Arena arena = Arena.ofShared();
    System.out.println("holding");
    System.in.read();
    arena.close();
    end(args.length == 0 ? "" : args[0]);
  }

  private static void end(String how) {
    switch (how) {
      case "exit" -> System.exit(EXITED);
      case "halt" -> Runtime.getRuntime().halt(HALTED);
      default -> {}
    }
  }

  /** Later than the agent's hooks. */
  private static void closeInHook() {
    try {
      Thread.sleep(500);
    } catch (InterruptedException e) {
      return;
    }
    HOOKED.forEach(Ticket::close);
  }

  private void work() {
    for (int i = 0; i < OF_THREAD; i++) {
      own.add(new Ticket());
    }
    HELD.countDown();
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      own.clear();
    }
  }
}
