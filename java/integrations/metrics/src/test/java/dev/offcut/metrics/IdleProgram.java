package dev.offcut.metrics;

import com.sun.management.ThreadMXBean;
import dev.offcut.memory.MemoryPool;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A program with a handle and, where the JDK has them, a pool, which exports some times and then
 * sleeps until nothing was allocated for a while. It prints what other threads than its own
 * allocated in the last while. Its argument: how it exports.
 */
final class IdleProgram {
  private static final int FIRST_WITH_POOLS = 23;

  /** So that each scrape but the first few reads: a reading is good for half a second. */
  private static final long READING_MILLIS = 600;

  /** Several times of whatever could wake up each second. */
  private static final long IDLE_MILLIS = 3_500;

  /** What the last export left to others, a slow machine does in the first while. */
  private static final int WHILES = 5;

  /** Threads of the libraries that are read, which look each second with metrics or without. */
  private static final Set<String> NOT_OURS = Set.of("offcut-reaper", "offcut memory decay");

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private IdleProgram() {}

  /** In a class of its own: without pools it is not loaded. */
  private static final class Pool {
    private Pool() {}

    static Object create() {
      MemoryPool pool = MemoryPool.named("server").create();
      pool.owner().child("cache").create().allocateChunk(1 << 20);
      return pool;
    }
  }

  public static void main(String[] arguments) throws Exception {
    Object pool = Runtime.version().feature() < FIRST_WITH_POOLS ? "none" : Pool.create();
    ExportProgram.Export export = ExportProgram.export(arguments[0]);
    try (Image image = Image.of(Image.type("picture"))) {
      String text = export.scrape();
      for (int i = 0; i < 3; i++) {
        TimeUnit.MILLISECONDS.sleep(READING_MILLIS);
        text = export.scrape();
      }
      System.out.println("picture " + text.contains("picture"));
      List<String> found = List.of("allocated before the first while");
      for (int i = 0; i < WHILES && !found.isEmpty(); i++) {
        found = allocatedInAWhile();
      }
      found.forEach(System.out::println);
      System.out.println("threads " + allocated().size());
      System.out.println("kept " + image + pool);
    }
  }

  private static List<String> allocatedInAWhile() throws InterruptedException {
    Map<Long, Long> before = allocated();
    TimeUnit.MILLISECONDS.sleep(IDLE_MILLIS);
    List<String> found = new ArrayList<>();
    allocated()
        .forEach(
            (id, bytes) -> {
              long more = bytes - before.getOrDefault(id, 0L);
              String name = name(id);
              if (more != 0 && !NOT_OURS.contains(name)) {
                found.add("allocated " + name + " " + more);
              }
            });
    return found;
  }

  /** By the number of each thread that lives, but this one. */
  private static Map<Long, Long> allocated() {
    Map<Long, Long> allocated = new TreeMap<>();
    for (long id : THREADS.getAllThreadIds()) {
      long bytes = id == Thread.currentThread().getId() ? -1 : THREADS.getThreadAllocatedBytes(id);
      if (bytes >= 0) {
        allocated.put(id, bytes);
      }
    }
    return allocated;
  }

  private static String name(long id) {
    ThreadInfo thread = THREADS.getThreadInfo(id);
    return thread == null ? "a thread that has ended" : thread.getThreadName();
  }
}
