package dev.offcut.agent.publish;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Offcut's own libraries in the program: what they count of handles and pools. There may be several
 * copies, by several class loaders, and of packages that were renamed. Each has a method {@code
 * published} that gives its rows; the agent calls it by reflection. None is kept from going with
 * its class loader.
 *
 * <p>One thread at a time.
 */
public final class Libraries {
  /** How often the program pays for a look: a hundredth of its time at most. */
  private static final int RARITY = 100;

  /** The map of a pool is a text, and texts stay in the file: the older, the rarer. */
  private static final long MAP_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final int MAP_SHARE = 16;

  /** After a class of theirs came, it is looked for that often: it is loaded a moment later. */
  private static final int LOOKS = 3;

  private static final String HANDLES = "offcut.HandleStatistics";
  private static final String POOL = " offcut.PoolStatistics ";
  private static final String MAP = " offcut.PoolMap ";

  /** A library: a class that every program with it has, and the one that publishes. */
  private enum Library {
    HANDLE("handle.HandleType", "HandleType", "Statistics", "handles"),
    MEMORY("memory.MemoryPool", "MemoryPool", "Events", "pools");

    private final String ending;
    private final String entry;
    private final String publisher;
    private final String what;

    Library(String ending, String entry, String publisher, String what) {
      this.ending = ending;
      this.entry = entry;
      this.publisher = publisher;
      this.what = what;
    }
  }

  private record Copy(Library library, int number, WeakReference<Class<?>> publisher) {}

  private final Instrumentation instrumentation;
  private final List<String> problems;
  private final LibraryRows to;
  private final List<Copy> copies = new ArrayList<>();
  private final Set<String> refused = new HashSet<>();

  /** The keys of the rows of pools, by copy: those that are not published again are cleared. */
  private final Map<Integer, Set<String>> passing = new HashMap<>();

  /** Open handles, by copy. */
  private final Map<Integer, Long> open = new HashMap<>();

  private int copiesSeen;
  private int comeBefore;
  private int looks;
  private long due;
  private long mapsDue;
  private final long began = System.nanoTime();

  /** {@code problems}: where a sentence goes that says what is not looked at. */
  Libraries(Instrumentation instrumentation, List<String> problems, LibraryRows to) {
    this.instrumentation = instrumentation;
    this.problems = problems;
    this.to = to;
  }

  /** Whether a class of that name, with slashes, is the entry of a copy. */
  public static boolean isEntry(String name) {
    return name.endsWith("handle/HandleType") || name.endsWith("memory/MemoryPool");
  }

  /** How many handles are open; -1 where no library of them was found. */
  long openHandles() {
    long sum = open.isEmpty() ? -1 : 0;
    for (long one : open.values()) {
      sum += one;
    }
    return sum;
  }

  /**
   * Publishes what they count by now, unless that cost much a moment ago.
   *
   * @param come how many entries of copies have come until now
   */
  void publish(int come, boolean last) throws IOException {
    if (come != comeBefore) {
      comeBefore = come;
      looks = LOOKS;
    }
    if (looks > 0) {
      looks--;
      find();
    }
    long now = System.nanoTime();
    if (copies.isEmpty() || (!last && now - due < 0)) {
      return;
    }
    boolean maps = last || mapsDue == 0 || now - mapsDue >= 0;
    if (maps) {
      mapsDue = now + Math.max(MAP_NANOS, (now - began) / MAP_SHARE);
    }
    for (Iterator<Copy> all = copies.iterator(); all.hasNext(); ) {
      Copy copy = all.next();
      Class<?> publisher = copy.publisher.get();
      if (publisher == null) {
        all.remove();
        open.remove(copy.number);
        clear(copy, Set.of());
      } else {
        publish(copy, publisher, maps);
      }
    }
    long ended = System.nanoTime();
    due = ended + RARITY * (ended - now) - TimeUnit.SECONDS.toNanos(1);
  }

  private void find() {
    for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
      // The names of all classes of java.base would be made for this.
      if (loaded.getModule() != Object.class.getModule()) {
        String name = loaded.getName();
        for (Library library : Library.values()) {
          if (name.endsWith(library.ending)) {
            add(library, loaded);
          }
        }
      }
    }
  }

  private void add(Library library, Class<?> entry) {
    Class<?> publisher = publisher(library, entry);
    if (publisher == null) {
      return; // another library's, such as Kafka's MemoryPool
    }
    try {
      for (Copy copy : copies) {
        if (copy.publisher.refersTo(publisher)) {
          return;
        }
      }
      method(library, publisher); // or it is not published
      open(publisher);
      copies.add(new Copy(library, ++copiesSeen, new WeakReference<>(publisher)));
    } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
      if (refused.add(entry.getName())) {
        problems.add(
            library.what
                + ": "
                + entry.getName()
                + " is of another version or not Offcut's; its counts are not in the tables");
      }
    }
  }

  private static @Nullable Class<?> publisher(Library library, Class<?> entry) {
    String name = entry.getName();
    String folder = name.substring(0, name.length() - library.entry.length());
    try {
      return Class.forName(folder + library.publisher, false, entry.getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      return null;
    }
  }

  private static Method method(Library library, Class<?> publisher) throws NoSuchMethodException {
    return library == Library.HANDLE
        ? publisher.getDeclaredMethod("published")
        : publisher.getDeclaredMethod("published", boolean.class);
  }

  /** A named module has to let the agent in. */
  private void open(Class<?> publisher) {
    Module module = publisher.getModule();
    Module own = Libraries.class.getModule();
    String name = publisher.getPackageName();
    if (module.isNamed() && !module.isOpen(name, own)) {
      instrumentation.redefineModule(
          module, Set.of(), Map.of(), Map.of(name, Set.of(own)), Set.of(), Map.of());
    }
  }

  private void publish(Copy copy, Class<?> publisher, boolean maps) throws IOException {
    Object[] rows = rows(copy, publisher, maps);
    if (rows == null) {
      return;
    }
    long handles = 0;
    Set<String> now = new HashSet<>();
    for (Object one : rows) {
      Object[] row = (Object[]) one;
      String schema = (String) row[0];
      int name = schema.indexOf('\n');
      Object[] values = new Object[row.length - 1];
      values[0] = (long) copy.number;
      System.arraycopy(row, 2, values, 1, row.length - 2);
      String key = copy.number + " " + schema.substring(0, name) + " " + row[1];
      to.set(key, schema.substring(0, name) + "\ncopy long" + schema.substring(name), values);
      now.add(key);
      if (schema.startsWith(HANDLES)) {
        handles += (Long) row[row.length - 1];
      }
    }
    if (copy.library == Library.HANDLE) {
      open.put(copy.number, handles);
    } else {
      keepMaps(copy, now);
      clear(copy, now);
    }
  }

  /** Null if they are not to be had now: of a full heap, say. */
  private static Object @Nullable [] rows(Copy copy, Class<?> publisher, boolean maps) {
    try {
      Method method = method(copy.library, publisher);
      method.setAccessible(true);
      return (Object[])
          (copy.library == Library.HANDLE ? method.invoke(null) : method.invoke(null, maps));
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null;
    }
  }

  /** The map of a pool that is there still is as good as it was, if it was not made this time. */
  private void keepMaps(Copy copy, Set<String> now) {
    String map = copy.number + MAP;
    for (String key : passing.getOrDefault(copy.number, Set.of())) {
      if (key.startsWith(map) && now.contains(copy.number + POOL + key.substring(map.length()))) {
        now.add(key);
      }
    }
  }

  /** Takes the rows away of what is gone. */
  private void clear(Copy copy, Set<String> now) throws IOException {
    for (String key : passing.getOrDefault(copy.number, Set.of())) {
      if (!now.contains(key)) {
        to.clear(key);
      }
    }
    passing.put(copy.number, now);
  }
}
