package dev.offcut.examples.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import dev.offcut.memory.Budget;
import dev.offcut.memory.MemoryLimitException;
import dev.offcut.memory.MemoryPool;
import dev.offcut.memory.Owner;
import dev.offcut.memory.Reservation;
import dev.offcut.metrics.OffcutMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A server with a cache, without clients: {@link #request} is called instead. Its page of metrics
 * is read at {@link #address}.
 *
 * <p>Each request allocates a block of C's heap, an arena, and an entry of the cache. A server that
 * leaks closes neither block nor arena, and never evicts an entry.
 */
final class Server implements AutoCloseable {
  private static final long MIB = 1 << 20;
  private static final long LIMIT = 64 * MIB;
  private static final long CACHE_LIMIT = 60 * MIB;
  private static final long ENTRY = MIB / 4;
  private static final int MOST_ENTRIES = 40;
  private static final long SCRATCH = 4096;

  private final boolean leaks;
  private final HttpServer http;
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final OffcutMetrics metrics = new OffcutMetrics();
  private final Budget budget = Budget.ofBytes(LIMIT).name("server").create();
  private final MemoryPool caches =
      MemoryPool.named("caches").limit(CACHE_LIMIT).budget(budget).create();
  private final MemoryPool buffers = MemoryPool.named("buffers").budget(budget).create();
  private final Owner answers = caches.owner().child("answers").hardLimit(CACHE_LIMIT).create();
  private final Owner requests = buffers.owner().child("requests").create();
  private final Reservation code = buffers.owner().child("compiled").create().reserve(MIB);
  private final Deque<Long> entries = new ArrayDeque<>();
  private boolean refused;

  /** Listens on this machine; port 0 takes a free one. */
  Server(boolean leaks, int port) throws IOException {
    this.leaks = leaks;
    metrics.bindTo(registry);
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    http.createContext(
        "/metrics",
        exchange -> {
          byte[] page = registry.scrape().getBytes(UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
          exchange.sendResponseHeaders(200, page.length);
          exchange.getResponseBody().write(page);
          exchange.close();
        });
    http.start();
  }

  /** {@return where the page of metrics is} */
  String address() {
    return "http://127.0.0.1:" + http.getAddress().getPort() + "/metrics";
  }

  /** One request. All are made by one thread. */
  void request() {
    Block block = new Block(SCRATCH);
    Arena arena = Arena.ofShared();
    MemorySegment answer = arena.allocate(SCRATCH);
    long buffer = requests.allocateChunk(answer.byteSize());
    buffers.freeChunk(buffer);
    keep();
    if (!leaks) {
      arena.close();
      block.close();
    }
  }

  private void keep() {
    try {
      entries.add(answers.allocateChunk(ENTRY));
    } catch (MemoryLimitException e) {
      if (!refused) {
        System.err.println(e.getMessage());
      }
      refused = true; // the server goes on without an entry
    }
    while (!leaks && entries.size() > MOST_ENTRIES) {
      caches.freeChunk(entries.remove());
    }
  }

  @Override
  public void close() {
    http.stop(0);
    metrics.close();
    registry.close();
    entries.forEach(caches::freeChunk);
    code.close();
    buffers.close();
    caches.close();
  }
}
