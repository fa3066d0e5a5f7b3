package dev.offcut.agent.base.concurrent;

import dev.offcut.agent.base.Kind;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Memory that the program allocates by calling C's malloc and the like through {@code Linker}. The
 * JDK's linker passes each handle that it makes to this class. If the handle calls one of the
 * {@linkplain #NAMES functions} below, the program gets another handle of the same type, which also
 * counts. Other handles stay as they are.
 *
 * <p><b>Which function.</b> A handle's address tells which function it calls, whatever name the
 * program used to find it. The address is compared with two: the one in C's library, and the one
 * that the program's own native code would call, which differs if an allocator is preloaded. A
 * handle without an address is compared at each call, if its type is one of such a function.
 *
 * <p><b>Types.</b> Addresses and sizes may be segments, longs or ints. The segment for errno may
 * stand before them. Calls of any other type are not counted, and {@link #problem} says so.
 *
 * <p>A helper: a copy of it in java.base runs, any thread calls it, and it throws nothing.
 */
@SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // step() finds methods by name and types
public final class Downcalls {
  private static final int MALLOC = 0;
  private static final int CALLOC = 1;
  private static final int REALLOC = 2;
  private static final int REALLOC_ARRAY = 3;
  private static final int ALIGNED_ALLOC = 4;
  private static final int POSIX_MEMALIGN = 5;
  private static final int FREE = 6;

  private static final String[] NAMES = {
    "malloc", "calloc", "realloc", "reallocarray", "aligned_alloc", "posix_memalign", "free"
  };

  /** How many parameters each has. */
  private static final int[] PARAMETERS = {1, 2, 2, 3, 2, 3, 1};

  /** Bytes of a probe. */
  private static final long PROBE = 24;

  private static final Blocks BLOCKS = new Blocks(Kind.DOWNCALL);

  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

  /** By function the address in C's library, then by function what the program's own calls find. */
  private static volatile long @Nullable [] addresses;

  private static volatile @Nullable String problem;

  private Downcalls() {}

  /** Why some of these calls are not counted, in words; null if all are. */
  public static @Nullable String problem() {
    return problem;
  }

  /** The handle that the program is to have in the place of one that calls a function. */
  public static MethodHandle bound(MethodHandle handle, Stock.Segment symbol) {
    try {
      int function = function(symbol.address());
      if (function < 0) {
        return handle;
      }
      int before = before(function, handle.type(), 0);
      if (before < 0) {
        problem = "a call of " + NAMES[function] + " has the unknown type " + handle.type();
        return handle;
      }
      return counting(function, handle, before);
    } catch (Throwable e) {
      problem = "a method handle could not be wrapped (" + e + ")";
      return handle;
    }
  }

  /** The same of one whose first argument is the function. */
  public static MethodHandle unbound(MethodHandle handle) {
    try {
      MethodHandle made = handle;
      for (int function = 0; function < NAMES.length; function++) {
        int before = before(function, handle.type(), 1);
        if (before > 0) {
          MethodHandle test =
              LOOKUP.findStatic(
                  Downcalls.class,
                  "is",
                  MethodType.methodType(boolean.class, int.class, Stock.Segment.class));
          made =
              MethodHandles.guardWithTest(
                  MethodHandles.insertArguments(test, 0, function),
                  counting(function, handle, before),
                  made);
        }
      }
      return made;
    } catch (Throwable e) {
      problem = "a method handle could not be wrapped (" + e + ")";
      return handle;
    }
  }

  private static boolean is(int function, Stock.Segment symbol) {
    long[] all = addresses();
    long address = symbol.address();
    return address == all[function] || address == all[NAMES.length + function];
  }

  private static int function(long address) {
    long[] all = addresses();
    for (int i = 0; i < all.length; i++) {
      if (all[i] == address) {
        return i % NAMES.length;
      }
    }
    return -1;
  }

  private static long[] addresses() {
    long[] known = addresses;
    if (known == null) {
      known = find();
      addresses = known;
    }
    return known;
  }

  /** A function that is not there has the address -1, which is nobody's. */
  private static long[] find() {
    long[] found = new long[2 * NAMES.length];
    Stock.Symbols library = Stock.Linker.nativeLinker().defaultLookup();
    for (int i = 0; i < NAMES.length; i++) {
      Optional<Stock.Segment> symbol = library.find(NAMES[i]);
      found[i] = symbol.isPresent() ? symbol.get().address() : -1;
      found[NAMES.length + i] = inProgram(NAMES[i]);
    }
    return found;
  }

  /** What a call in the program itself would find: another allocator's, if one is preloaded. */
  private static long inProgram(String name) {
    try {
      Class<?> library = Class.forName("jdk.internal.loader.NativeLibrary", false, null);
      Method find = library.getDeclaredMethod("findEntry0", long.class, String.class);
      find.setAccessible(true);
      long found = (Long) find.invoke(null, 0L, name); // 0 is RTLD_DEFAULT of Linux
      return found == 0 ? -1 : found;
    } catch (Throwable e) {
      return -1; // another JDK: then C's library is what is known
    }
  }

  /**
   * The number of parameters that stand before those of a function: the least, or one more for
   * errno. -1 if a function cannot have this type.
   */
  private static int before(int function, MethodType type, int least) {
    int before = type.parameterCount() - PARAMETERS[function];
    if (before < least || before > least + 1) {
      return -1;
    }
    for (int i = 0; i < before; i++) {
      if (type.parameterType(i) != Stock.Segment.class) {
        return -1;
      }
    }
    boolean points = function == REALLOC || function == REALLOC_ARRAY;
    for (int i = before; i < type.parameterCount(); i++) {
      boolean first = i == before;
      boolean address = first && (points || function == FREE || function == POSIX_MEMALIGN);
      if (!(address ? isAddress(type.parameterType(i)) : isSize(type.parameterType(i)))) {
        return -1;
      }
    }
    boolean fits =
        function == FREE
            || (function == POSIX_MEMALIGN
                ? isSize(type.returnType())
                : isAddress(type.returnType()));
    return fits ? before : -1;
  }

  private static boolean isAddress(Class<?> type) {
    return type == Stock.Segment.class || type == long.class;
  }

  private static boolean isSize(Class<?> type) {
    return type == long.class || type == int.class;
  }

  /** A handle of the same type that counts, too. */
  private static MethodHandle counting(int function, MethodHandle handle, int before)
      throws ReflectiveOperationException {
    MethodType type = handle.type();
    List<Class<?>> parameters = type.parameterList();
    List<Class<?>> skipped = parameters.subList(0, before);
    List<Class<?>> own = parameters.subList(before, parameters.size());
    if (function == FREE) {
      MethodHandle freeing = step("freeing", void.class, own.subList(0, 1));
      return MethodHandles.foldArguments(handle, MethodHandles.dropArguments(freeing, 0, skipped));
    }
    List<Class<?>> given = new ArrayList<>();
    given.add(type.returnType());
    if (function != REALLOC && function != REALLOC_ARRAY) {
      given.addAll(own);
      MethodHandle counts = step(opening(function), void.class, given);
      MethodHandle result = MethodHandles.identity(type.returnType());
      return MethodHandles.foldArguments(
          MethodHandles.foldArguments(
              MethodHandles.dropArguments(result, 1, parameters),
              MethodHandles.dropArguments(counts, 1, skipped)),
          handle);
    }
    // Taken before the call: another thread may have the same address before it returns.
    MethodHandle taking = step("take", long.class, own.subList(0, 1));
    given.add(long.class);
    given.addAll(own);
    String name = function == REALLOC ? "moved" : "movedMany";
    MethodHandle moved = step(name, void.class, given);
    List<Class<?>> all = new ArrayList<>(parameters);
    all.add(0, long.class);
    MethodHandle result = MethodHandles.identity(type.returnType());
    MethodHandle then =
        MethodHandles.foldArguments(
            MethodHandles.dropArguments(result, 1, all),
            MethodHandles.dropArguments(moved, 2, skipped));
    MethodHandle call =
        MethodHandles.catchException(
            MethodHandles.dropArguments(handle, 0, long.class),
            Throwable.class,
            failing(type, skipped, own));
    return MethodHandles.foldArguments(
        MethodHandles.foldArguments(then, call), MethodHandles.dropArguments(taking, 0, skipped));
  }

  /** What a call of realloc that throws comes to: the block is as it was, and its caller hears. */
  private static MethodHandle failing(MethodType type, List<Class<?>> skipped, List<Class<?>> own)
      throws ReflectiveOperationException {
    MethodHandle stays =
        MethodHandles.dropArguments(
            step("stays", void.class, List.of(long.class, own.get(0))), 1, skipped);
    List<Class<?>> all = new ArrayList<>(type.parameterList());
    all.add(0, long.class);
    return MethodHandles.foldArguments(
        MethodHandles.dropArguments(
            MethodHandles.throwException(type.returnType(), Throwable.class), 1, all),
        MethodHandles.dropArguments(stays, 0, Throwable.class));
  }

  private static String opening(int function) {
    return switch (function) {
      case MALLOC -> "allocated";
      case CALLOC -> "allocatedMany";
      case ALIGNED_ALLOC -> "allocatedAligned";
      default -> "allocatedAt";
    };
  }

  /** A method below, whose numbers are made of what a call was given and has returned. */
  private static MethodHandle step(String name, Class<?> returns, List<Class<?>> given)
      throws ReflectiveOperationException {
    Class<?>[] numbers = new Class<?>[given.size()];
    MethodHandle[] filters = new MethodHandle[given.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = long.class;
      if (given.get(i) == Stock.Segment.class) {
        boolean isRead =
            name.equals("freeing") || name.equals("take") || name.equals("allocatedAt");
        filters[i] = find(isRead ? "usable" : "address", long.class, given.get(i));
      }
    }
    MethodHandle filtered = MethodHandles.filterArguments(find(name, returns, numbers), 0, filters);
    return filtered.asType(MethodType.methodType(returns, given));
  }

  private static MethodHandle find(String name, Class<?> returns, Class<?>... parameters)
      throws ReflectiveOperationException {
    return LOOKUP.findStatic(Downcalls.class, name, MethodType.methodType(returns, parameters));
  }

  private static long address(Stock.Segment segment) {
    return segment.address();
  }

  /** The address of native memory that the program may use now; 0 if it may not. */
  private static long usable(Stock.Segment segment) {
    return segment.isNative()
            && segment.scope().isAlive()
            && segment.isAccessibleBy(Thread.currentThread())
        ? segment.address()
        : 0;
  }

  private static void allocated(long address, long bytes) {
    try {
      BLOCKS.opened(address, bytes);
    } catch (Throwable e) {
      // No stack is left. The program has its memory, and must not be told that it has not.
    }
  }

  private static void allocatedMany(long address, long count, long size) {
    allocated(address, count * size);
  }

  private static void allocatedAligned(long address, long alignment, long bytes) {
    allocated(address, bytes);
  }

  private static void allocatedAt(long failure, long to, long alignment, long bytes) {
    if (failure == 0 && to != 0) {
      allocated(Atomics.UNSAFE.getLong(null, to), bytes);
    }
  }

  private static void freeing(long address) {
    try {
      BLOCKS.freeing(address, false);
    } catch (Throwable e) {
      // As above: what is to be freed must be.
    }
  }

  private static long take(long address) {
    try {
      return BLOCKS.take(address);
    } catch (Throwable e) {
      return 0; // as above
    }
  }

  private static void stays(long found, long from) {
    try {
      BLOCKS.putBack(from, found);
    } catch (Throwable e) {
      // As above.
    }
  }

  private static void moved(long to, long found, long from, long bytes) {
    try {
      if (to == 0 && bytes != 0) {
        BLOCKS.putBack(from, found); // there is no more memory, and the block is as it was
      } else {
        BLOCKS.moved(found, to, bytes);
      }
    } catch (Throwable e) {
      // As above.
    }
  }

  private static void movedMany(long to, long found, long from, long count, long size) {
    // If the product overflows, the call has failed, and the block is as it was.
    moved(to, found, from, to == 0 && count != 0 && size != 0 ? 1 : count * size);
  }

  /** Allocates and frees, by handles of both kinds. The caller has said that it is a probe. */
  public static void probe() throws Throwable {
    Stock.Linker linker = Stock.Linker.nativeLinker();
    Stock.Symbols library = linker.defaultLookup();
    Stock.Layout number = Stock.Layouts.JAVA_LONG;
    MethodHandle malloc =
        linker.downcallHandle(
            library.find("malloc").orElseThrow(), Stock.Descriptor.of(number, number));
    MethodHandle realloc = linker.downcallHandle(Stock.Descriptor.of(number, number, number));
    MethodHandle free =
        linker.downcallHandle(library.find("free").orElseThrow(), Stock.Descriptor.ofVoid(number));
    long block = (long) malloc.invokeExact(PROBE);
    block = (long) realloc.invokeExact(library.find("realloc").orElseThrow(), block, 2 * PROBE);
    free.invokeExact(block);
  }
}
