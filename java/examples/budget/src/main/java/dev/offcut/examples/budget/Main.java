package dev.offcut.examples.budget;

import dev.offcut.arrow.OffcutAllocationManagerFactory;
import dev.offcut.memory.Budget;
import dev.offcut.memory.MemoryLimitException;
import dev.offcut.memory.MemoryPool;
import dev.offcut.memory.Owner;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;

/**
 * Sends streams of Arrow through an echo server with Netty, reads what comes back, and searches it
 * with Lucene. Each of the three has a pool, and all are on one budget.
 *
 * <pre>
 *   Arrow writes ──▶ socket ──▶ Netty's buffers ──▶ socket ──▶ Arrow reads ──▶ Lucene's index
 *   pool arrow                  pool netty                     pool arrow      pool lucene
 *        └──────────────────────────── one budget ───────────────────┴──────────────┘
 * </pre>
 *
 * <p>At the end Arrow asks for more than is left. The request is refused, the message says who
 * holds what, and the program goes on.
 */
public final class Main {
  private static final long LIMIT = 64 << 20;
  private static final int BATCHES = 100;

  private Main() {}

  /**
   * Prints what came back, who holds memory, and the refusal.
   *
   * @param args the number of batches; 100 if there is none
   * @throws Exception if it cannot listen or connect
   */
  public static void main(String[] args) throws Exception {
    run(args.length == 0 ? BATCHES : Integer.parseInt(args[0]), System.out);
  }

  /** Does all of it: the budget is as it was before, when this returns. */
  static void run(int batches, PrintStream out) throws IOException, InterruptedException {
    Budget budget = Budget.ofBytes(LIMIT).name("server").create();
    try (MemoryPool netty = MemoryPool.named("netty").budget(budget).create();
        MemoryPool arrow = MemoryPool.named("arrow").budget(budget).create();
        MemoryPool lucene = MemoryPool.named("lucene").budget(budget).create()) {
      Owner connections = netty.owner().child("connections").create();
      Owner batchesOwner = arrow.owner().child("batches").create();
      try (EchoServer server = new EchoServer(connections);
          OffcutAllocationManagerFactory memory = OffcutAllocationManagerFactory.on(batchesOwner);
          BufferAllocator allocator = memory.newRootAllocator();
          BatchIndex index = new BatchIndex(lucene.owner().child("index").create())) {
        long sum = sendAndRead(server, allocator, batches, index);
        out.println(
            batches + " batches, sum " + sum + (sum == Numbers.sum(batches) ? ", as sent" : "?"));
        long half = index.sum(0, Numbers.first(batches / 2) - 1);
        out.println("the first half of them, searched: sum " + half);
        out.println(budget.snapshot());
        out.println(refusal(allocator));
        out.println("after the refusal: sum " + sendAndRead(server, allocator, 1, index));
      }
    }
  }

  /**
   * Writes on another thread, since the server sends back while it still receives. The socket is
   * closed when all has come back: Netty would drop what it has not sent yet.
   */
  private static long sendAndRead(
      EchoServer server, BufferAllocator allocator, int batches, BatchIndex index)
      throws IOException {
    try (Socket socket = new Socket(server.address().getAddress(), server.address().getPort())) {
      CompletableFuture<Void> written =
          CompletableFuture.runAsync(() -> send(allocator, batches, socket));
      try {
        return Numbers.read(allocator, socket.getInputStream(), index);
      } finally {
        written.join(); // if it failed, that is why the read did
      }
    }
  }

  /** A failure ends the socket, since the reader would wait for ever. */
  private static void send(BufferAllocator allocator, int batches, Socket socket) {
    try {
      boolean sent = false;
      try {
        Numbers.write(allocator, batches, socket.getOutputStream());
        sent = true;
      } finally {
        if (!sent) {
          socket.close();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Takes half of the limit, and asks for all of it: what the budget says. */
  private static String refusal(BufferAllocator allocator) {
    try (ArrowBuf half = allocator.buffer(LIMIT / 2);
        ArrowBuf all = allocator.buffer(2 * half.capacity())) {
      return "not refused: " + all.capacity() + " bytes";
    } catch (OutOfMemoryException e) {
      return e.getCause() instanceof MemoryLimitException limit
          ? "refused: " + limit.getMessage()
          : "refused by Arrow: " + e.getMessage();
    }
  }
}
