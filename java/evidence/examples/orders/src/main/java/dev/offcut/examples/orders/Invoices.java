package dev.offcut.examples.orders;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.offcut.memory.Budget;
import dev.offcut.memory.MemoryLimitException;
import dev.offcut.memory.MemoryPool;
import dev.offcut.memory.Owner;
import dev.offcut.memory.Reservation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;

/**
 * Invoices in native memory: for each request one is written into an arena, signed, and kept in a
 * cache of a pool. The pools are on one budget.
 *
 * <p>{@link #sign} is there twice. {@code signAndForget} closes neither the signature nor the
 * arena, and its cache has no end. It runs unless the property {@code leak} is false.
 */
@Service
class Invoices implements DisposableBean {
  private static final long MIB = 1 << 20;
  private static final long LIMIT = 64 * MIB;
  private static final long CACHE_LIMIT = 60 * MIB;
  private static final long PAGE = 4096;
  private static final long KEPT = MIB / 4;
  private static final int MOST_KEPT = 40;

  private final boolean leaks;
  private final Budget budget = Budget.ofBytes(LIMIT).name("service").create();
  private final MemoryPool caches =
      MemoryPool.named("caches").limit(CACHE_LIMIT).budget(budget).create();
  private final MemoryPool buffers = MemoryPool.named("buffers").budget(budget).create();
  private final Owner invoices = caches.owner().child("invoices").hardLimit(CACHE_LIMIT).create();
  private final Owner requests = buffers.owner().child("requests").create();
  private final Reservation fonts = buffers.owner().child("fonts").create().reserve(MIB);
  private final Deque<Long> cache = new ArrayDeque<>();
  private boolean refused;

  Invoices(@Value("${leak:true}") boolean leaks) {
    this.leaks = leaks;
  }

  /** Makes the invoice of an order, and signs it. */
  long sign(long order) {
    return leaks ? signAndForget(order) : signAndClose(order);
  }

  private long signAndForget(long order) {
    Signature signature = new Signature();
    Arena arena = Arena.ofShared();
    MemorySegment page = write(order, arena);
    keep(Integer.MAX_VALUE);
    return signature.of(page);
  }

  private long signAndClose(long order) {
    try (Signature signature = new Signature();
        Arena arena = Arena.ofShared()) {
      MemorySegment page = write(order, arena);
      keep(MOST_KEPT);
      return signature.of(page);
    }
  }

  private MemorySegment write(long order, Arena arena) {
    MemorySegment page = arena.allocate(PAGE);
    long buffer = requests.allocateChunk(PAGE);
    try {
      page.setString(0, "Invoice for order " + order, UTF_8);
    } finally {
      buffers.freeChunk(buffer);
    }
    return page;
  }

  /** Keeps the invoice, and drops the oldest ones. */
  private synchronized void keep(int most) {
    try {
      cache.add(invoices.allocateChunk(KEPT));
    } catch (MemoryLimitException e) {
      if (!refused) {
        System.err.println(e.getMessage());
      }
      refused = true; // the service goes on without keeping it
    }
    while (cache.size() > most) {
      caches.freeChunk(cache.remove());
    }
  }

  @Override
  public void destroy() {
    cache.forEach(caches::freeChunk);
    fonts.close();
    buffers.close();
    caches.close();
  }
}
