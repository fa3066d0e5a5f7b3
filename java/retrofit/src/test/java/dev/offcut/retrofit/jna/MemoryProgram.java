package dev.offcut.retrofit.jna;

import com.sun.jna.Memory;
import com.sun.management.ThreadMXBean;
import com.sun.tools.attach.VirtualMachine;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntConsumer;

/** A program that uses JNA's Memory, and prints what it sees, a word and a value a line. */
public final class MemoryProgram {
  private static final int SIZE = 64;
  private static final int COUNT = 1_000;

  /** Where each object is put, so that no compiler does away with it. */
  private static volatile Object escaped = "";

  /** A map as JNA's. */
  private static final Map<Long, Object> BOOK = new ConcurrentHashMap<>();

  private MemoryProgram() {}

  /** The first argument says what is done, the second which agent is attached, if one is. */
  public static void main(String[] args) throws Exception {
    switch (args[0]) {
      case "use" -> use();
      case "close" -> close();
      case "dispose" -> disposeAll();
      case "forget" -> forget();
      case "threads" -> threads();
      case "measure" -> measure();
      case "map" -> map();
      case "early" -> attach(args[1]);
      case "late" -> {
        use();
        attach(args[1]);
      }
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  /**
   * What all versions of JNA can do. The block stays reachable: once the collector has cleared the
   * reference in JNA's map, disposeAll passes over the block, which stays in the map until JNA's
   * cleaner thread removes it.
   */
  private static void use() {
    Memory memory = new Memory(SIZE);
    escaped = memory;
    memory.setLong(8, 42);
    print("read", memory.getLong(8));
    print("module", String.valueOf(Memory.class.getModule().getName()));
  }

  /** Attaches the agent to itself, and then goes on. */
  private static void attach(String agent) throws Exception {
    VirtualMachine self = VirtualMachine.attach(String.valueOf(ProcessHandle.current().pid()));
    self.loadAgent(agent);
    self.detach();
    disposeAll();
    close();
  }

  private static void close() throws ReflectiveOperationException {
    List<Memory> all = allocate();
    print("open", book().size());
    print("class", book().getClass().getName());
    Module own = MemoryProgram.class.getModule();
    print("opened", Object.class.getModule().isOpen("java.util.concurrent", own));
    for (Memory memory : all) {
      memory.close();
      memory.close();
    }
    print("closed", book().size());
    print("valid", all.stream().anyMatch(Memory::valid));
  }

  private static void disposeAll() throws ReflectiveOperationException {
    List<Memory> all = allocate();
    Memory.disposeAll();
    print("closed", book().size());
    print("valid", all.stream().anyMatch(Memory::valid));
    escaped = allocate(); // reachable: see use()
    Memory.disposeAll();
    print("again", book().size());
  }

  private static void forget() throws Exception {
    allocate();
    while (!book().isEmpty()) { // the test ends what takes too long
      System.gc();
      Thread.onSpinWait();
    }
    print("closed", book().size());
  }

  private static void threads() throws Exception {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Thread thread = new Thread(MemoryProgram::churn);
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    print("closed", book().size());
  }

  private static void churn() {
    for (int round = 0; round < 20; round++) {
      allocate().forEach(Memory::close);
    }
  }

  private static void measure() {
    print("bytes", bytesOfOne(MemoryProgram::openAndClose));
    print("map", bytesOfOne(MemoryProgram::bookAndForget));
    print("last", escaped);
  }

  /** What one operation allocates, once as many have run. */
  private static double bytesOfOne(IntConsumer operations) {
    int count = 400_000;
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    operations.accept(count);
    long before = threads.getCurrentThreadAllocatedBytes();
    operations.accept(count);
    return (double) (threads.getCurrentThreadAllocatedBytes() - before) / count;
  }

  /** What JNA's map does for one Memory: a boxed key and a node, and another key to remove it. */
  private static void bookAndForget(int operations) {
    Object value = MemoryProgram.class;
    for (int i = 0; i < operations; i++) {
      Long key = (1L << 40) + i;
      escaped = key;
      BOOK.put(key, value);
      Long again = (1L << 40) + i;
      escaped = again;
      escaped = BOOK.remove(again);
    }
  }

  private static void openAndClose(int operations) {
    for (int i = 0; i < operations; i++) {
      Memory memory = new Memory(SIZE);
      escaped = memory;
      memory.close();
    }
  }

  /** What reflection may do with the map it finds. */
  private static void map() throws ReflectiveOperationException {
    Map<Long, Object> book = book();
    book.put(-1L, "value");
    print("get", book.get(-1L));
    print("contains", book.containsKey(-1L) && book.containsValue("value") && book.size() == 1);
    print("text", book);
    print("remove", book.remove(-1L) + " " + book.isEmpty());
  }

  private static List<Memory> allocate() {
    List<Memory> all = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      Memory memory = new Memory(SIZE);
      memory.setInt(0, i);
      all.add(memory);
    }
    for (int i = 0; i < COUNT; i++) {
      if (all.get(i).getInt(0) != i) {
        throw new AssertionError("not what was written");
      }
    }
    return all;
  }

  /** The map in which Memory keeps what is allocated. */
  @SuppressWarnings("unchecked")
  private static Map<Long, Object> book() throws ReflectiveOperationException {
    Field field = Memory.class.getDeclaredField("allocatedMemory");
    field.setAccessible(true);
    return (Map<Long, Object>) field.get(null);
  }

  private static void print(String word, Object value) {
    System.out.println(word + " " + value);
  }
}
