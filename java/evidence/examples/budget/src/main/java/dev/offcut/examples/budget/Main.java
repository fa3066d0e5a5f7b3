package dev.offcut.examples.budget;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.offcut.memory.Budget;
import dev.offcut.memory.MemoryLimitException;
import dev.offcut.memory.MemoryPool;
import dev.offcut.memory.Owner;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;

/**
 * Sends numbers through an echo server with Netty, and parses what comes back. The server's buffers
 * come from a pool; the parser allocates its memory itself. One budget limits both.
 *
 * <pre>
 *   numbers ──▶ socket ──▶ Netty's buffers ──▶ socket ──▶ the parser's memory
 *                          pool server                    registered as "parser"
 *                               └──────── one budget ─────────┘
 * </pre>
 *
 * <p>Then a request asks the pool for more than is left. The budget refuses the request, and its
 * message names the largest holder: the parser. After the parser has freed its memory, the same
 * request succeeds.
 */
public final class Main {
  private static final long LIMIT = 64 << 20;
  private static final long REQUEST = 48 << 20;

  /** The parser needs 32 MiB for this many numbers. */
  private static final int NUMBERS = 4 << 20;

  private Main() {}

  /**
   * Prints what came back, who holds memory, and the refusal.
   *
   * @param args none
   * @throws Exception if it cannot listen or connect
   */
  public static void main(String[] args) throws Exception {
    run(System.out);
  }

  static void run(PrintStream out) throws IOException, InterruptedException {
    Budget budget = Budget.ofBytes(LIMIT).name("service").create();
    try (MemoryPool pool = MemoryPool.named("server").budget(budget).create()) {
      Owner requests = pool.owner().child("requests").create();
      try (EchoServer server = new EchoServer(pool.owner().child("connections").create());
          Parser parser = new Parser();
          Budget.Registration _ = budget.register("parser", parser::nativeBytes)) {
        long sum = echo(server, parser);
        long sent = (long) NUMBERS * (NUMBERS - 1) / 2;
        out.println(NUMBERS + " numbers, sum " + sum + (sum == sent ? ", as sent" : "?"));
        out.println(budget.snapshot());
        out.println(request(requests));
      }
      out.println("after the parser has freed its memory: " + request(requests));
    }
  }

  /** Sends on another thread, since the server sends back while it still receives. */
  private static long echo(EchoServer server, Parser parser) throws IOException {
    try (Socket socket = new Socket(server.address().getAddress(), server.address().getPort())) {
      CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> send(socket));
      long sum = parser.read(socket.getInputStream(), NUMBERS);
      sent.join();
      return sum;
    }
  }

  private static void send(Socket socket) {
    try {
      OutputStream to = new BufferedOutputStream(socket.getOutputStream(), 1 << 16);
      for (int number = 0; number < NUMBERS; number++) {
        to.write((number + "\n").getBytes(US_ASCII));
      }
      to.flush();
    } catch (IOException e) {
      try {
        socket.close(); // else the parser would wait for ever
      } catch (IOException alsoFailed) {
        e.addSuppressed(alsoFailed);
      }
      throw new UncheckedIOException(e);
    }
  }

  /** Asks for a chunk and frees it: what the budget says. */
  private static String request(Owner owner) {
    try {
      owner.pool().freeChunk(owner.allocateChunk(REQUEST));
      return "a request of " + REQUEST + " bytes succeeds";
    } catch (MemoryLimitException e) {
      return "refused: " + e.getMessage();
    }
  }
}
