package dev.offcut.agent.publish;

import dev.offcut.agent.Messages;
import dev.offcut.agent.base.Access;
import dev.offcut.agent.base.concurrent.NettyChunks;
import dev.offcut.agent.hooks.NettyClasses;
import dev.offcut.agent.hooks.code.UnknownShapeException;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What Netty's allocators keep of direct memory, and how much of that is in buffers in use. The
 * classes are rewritten when they are loaded. One that was loaded before the agent is left alone:
 * its chunks have not been seen.
 *
 * <p>Asking calls methods of Netty's that read counters and take no lock. What they throw is not
 * passed on.
 */
public final class NettyPools {
  /** A figure that is not known. */
  static final long UNKNOWN = -1;

  private final Instrumentation instrumentation;

  /** Classes that were rewritten when they were loaded, and are so whenever they change. */
  private final Set<String> rewritten = ConcurrentHashMap.newKeySet();

  /** Whether buffers of adaptive allocators are counted. */
  private volatile boolean countsBuffers;

  public NettyPools(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  /**
   * The allocators of a class.
   *
   * @param type the class
   * @param allocators how many there are that have memory
   * @param chunks {@link #UNKNOWN} if they are not counted
   * @param kept bytes of their chunks
   * @param used bytes of the chunks that are in buffers in use; {@link #UNKNOWN} if that is not
   *     counted
   */
  public record Figures(String type, long allocators, long chunks, long kept, long used) {
    Figures plus(Figures other) {
      return new Figures(
          type,
          allocators + other.allocators,
          sum(chunks, other.chunks),
          kept + other.kept,
          sum(used, other.used));
    }

    private static long sum(long one, long other) {
      return one < 0 || other < 0 ? UNKNOWN : one + other;
    }
  }

  /** Whether a class is one to be rewritten. */
  public boolean isOne(String name) {
    return NettyClasses.isOne(name);
  }

  /** The class as it is to be; null: as it is, since it is loaded already, or not known. */
  public byte @Nullable [] rewrite(String name, @Nullable Class<?> redefined, byte[] file) {
    if (redefined != null && !rewritten.contains(name)) {
      return null;
    }
    try {
      byte[] made = NettyClasses.rewrite(name, file);
      rewritten.add(name);
      countsBuffers |= name.endsWith("Buf");
      return made;
    } catch (UnknownShapeException | RuntimeException e) {
      Messages.note(
          name.replace('/', '.')
              + " has an unknown shape ("
              + e.getMessage()
              + "); what this pool keeps is not counted");
      return null;
    }
  }

  /** By class of the allocators. */
  public List<Figures> figures() {
    if (rewritten.isEmpty()) {
      return List.of();
    }
    Map<String, Figures> all = new TreeMap<>();
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Object chunk : NettyChunks.chunks()) {
      try {
        Chunk reader = Readers.ALL.get(chunk.getClass()).with(instrumentation);
        Object allocator = reader.allocator(chunk);
        add(all, reader.figures(chunk, allocator, seen.add(allocator) ? 1 : 0));
      } catch (Throwable e) {
        // Another Netty: what it has is not known.
      }
    }
    adaptive(all);
    return new ArrayList<>(all.values());
  }

  /** How much buffers have is known of all of them together. */
  private void adaptive(Map<String, Figures> all) {
    Map<String, Figures> found = new TreeMap<>();
    for (Object allocator : NettyChunks.allocators()) {
      try {
        long kept = (long) allocator.getClass().getMethod("usedDirectMemory").invoke(allocator);
        if (kept > 0) {
          add(found, new Figures(allocator.getClass().getName(), 1, UNKNOWN, kept, UNKNOWN));
        }
      } catch (Throwable e) {
        // likewise
      }
    }
    long used = countsBuffers && found.size() == 1 ? Math.max(0, NettyChunks.used()) : UNKNOWN;
    for (Figures one : found.values()) {
      add(all, new Figures(one.type, one.allocators, UNKNOWN, one.kept, used));
    }
  }

  private static void add(Map<String, Figures> all, Figures one) {
    Figures known = all.get(one.type);
    all.put(one.type, known == null ? one : known.plus(one));
  }

  /** By class: whatever is kept of a class goes with it. Most programs need none. */
  private static final class Readers extends ClassValue<Reader> {
    static final Readers ALL = new Readers();

    @Override
    protected Reader computeValue(Class<?> type) {
      return new Reader(type);
    }
  }

  /** Makes what reads chunks of a class, at the first one. */
  private static final class Reader {
    private final Class<?> type;
    private @Nullable Chunk chunk;

    Reader(Class<?> type) {
      this.type = type;
    }

    Chunk with(Instrumentation instrumentation) throws IOException, ReflectiveOperationException {
      Chunk known = chunk;
      if (known == null) {
        known = Chunk.of(type, Access.to(instrumentation, type).lookup(type));
        chunk = known;
      }
      return known;
    }
  }

  /**
   * Reads a chunk.
   *
   * @param used null if Netty was told not to count that, or does not know how
   */
  private record Chunk(
      MethodHandle arena, MethodHandle parent, MethodHandle size, @Nullable MethodHandle used) {
    static Chunk of(Class<?> type, Lookup lookup) throws ReflectiveOperationException {
      Class<?> arena = type.getDeclaredField("arena").getType();
      Class<?> parent = arena.getDeclaredField("parent").getType();
      return new Chunk(
          lookup.findGetter(type, "arena", arena),
          lookup.findGetter(arena, "parent", parent),
          lookup.findVirtual(type, "chunkSize", MethodType.methodType(int.class)),
          isUsedCounted(type, lookup)
              ? lookup.findVirtual(type, "pinnedBytes", MethodType.methodType(int.class))
              : null);
    }

    /** Netty 4.2 can be told not to; 4.1 always does. */
    private static boolean isUsedCounted(Class<?> type, Lookup lookup) {
      try {
        return (boolean) lookup.findStaticGetter(type, "trackPinnedMemory", boolean.class).invoke();
      } catch (NoSuchFieldException e) {
        return true;
      } catch (Throwable e) {
        return false;
      }
    }

    Object allocator(Object chunk) throws Throwable {
      return (Object) parent.invoke(arena.invoke(chunk));
    }

    Figures figures(Object chunk, Object allocator, long allocators) throws Throwable {
      return new Figures(
          allocator.getClass().getName(),
          allocators,
          1,
          (int) size.invoke(chunk),
          used == null ? UNKNOWN : (int) used.invoke(chunk));
    }
  }
}
