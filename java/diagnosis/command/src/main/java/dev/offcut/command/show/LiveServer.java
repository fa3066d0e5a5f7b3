package dev.offcut.command.show;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * The page and what it shows, over HTTP: on this machine alone unless told otherwise, below a path
 * that nobody can guess, and only to read.
 *
 * <p>Connections, and the time that each may take, are limited: see the constants.
 *
 * <p>A page of somebody else's, open in the same browser, can send requests here. It does not know
 * the path; and were it to let its own name stand for this address, the header Host would tell.
 */
public final class LiveServer implements AutoCloseable {
  private static final int TOKEN_BYTES = 16;

  /** Seconds that answers under way get when it is closed. */
  private static final int GRACE_SECONDS = 1;

  /**
   * Connections at a time; the next one is closed at once. Each costs a thread at most, and a page
   * has two.
   */
  static final int MOST_CONNECTIONS = 64;

  /** For the whole of a request, so that a silent client does not keep a connection. */
  private static final int REQUEST_SECONDS = 10;

  /**
   * For the whole of an answer, so that a client that reads nothing does not keep a thread. A
   * stream that lasts longer is cut, and the page opens the next one a second later.
   */
  private static final int ANSWER_SECONDS = 600;

  static {
    // The JDK's server reads these once, before the first is made. What the user gave counts.
    limit("jdk.httpserver.maxConnections", MOST_CONNECTIONS);
    limit("sun.net.httpserver.maxIdleConnections", MOST_CONNECTIONS);
    limit("sun.net.httpserver.maxReqTime", REQUEST_SECONDS);
    limit("sun.net.httpserver.maxRspTime", ANSWER_SECONDS);
  }

  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'"
          + " data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Snapshots snapshots = new Snapshots();
  private final String root;
  private final String url;

  /**
   * Begins to listen.
   *
   * @param address this machine's, to listen on
   * @param port zero for any that is free
   */
  public LiveServer(InetAddress address, int port) throws IOException {
    server = HttpServer.create(new InetSocketAddress(address, port), 0);
    int actual = server.getAddress().getPort();
    root = "/" + token() + "/";
    url = "http://" + Host.literal(Host.reachable(address)) + ":" + actual + root;
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  private static void limit(String property, int value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, String.valueOf(value));
    }
  }

  private static String token() {
    byte[] random = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(random);
    return HexFormat.of().formatHex(random);
  }

  /** Where the page is. Who has this may read it. */
  public String url() {
    return url;
  }

  /** What is known now, as JSON in one line; {@code last} if there will be no more. */
  public void publish(String json, boolean last) {
    snapshots.publish(json, last);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      harden(exchange.getResponseHeaders());
      String host = String.valueOf(exchange.getRequestHeaders().getFirst("Host"));
      InetSocketAddress asked = exchange.getLocalAddress();
      String path = exchange.getRequestURI().getPath();
      if (!Host.isOf(host, asked.getAddress())) {
        say(exchange, 403, "This server answers only at " + url.replace(root, "/"));
      } else if (!exchange.getRequestMethod().equals("GET")) {
        exchange.getResponseHeaders().set("Allow", "GET");
        say(exchange, 405, "Only GET.");
      } else if (path == null || !path.startsWith(root)) {
        say(
            exchange,
            404,
            "There is no page at this address. offcut printed the full address on stderr.");
      } else {
        serve(exchange, path.substring(root.length()));
      }
    }
  }

  private static void harden(Headers headers) {
    headers.set("Content-Security-Policy", POLICY);
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Referrer-Policy", "no-referrer");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    headers.set("Cache-Control", "no-store");
  }

  private void serve(HttpExchange exchange, String name) throws IOException {
    switch (name) {
      case "" -> file(exchange, "live.html");
      case "api/v1/snapshot" -> snapshot(exchange);
      case "api/v1/stream" -> stream(exchange);
      default -> file(exchange, name);
    }
  }

  private void file(HttpExchange exchange, String name) throws IOException {
    byte @Nullable [] bytes = PageFiles.bytes(name);
    String type = type(name);
    if (bytes == null || type == null) {
      say(exchange, 404, "There is no such file.");
    } else {
      answer(exchange, 200, type, bytes);
    }
  }

  private static @Nullable String type(String name) {
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "html" -> "text/html; charset=utf-8";
      case "js" -> "text/javascript; charset=utf-8";
      case "css" -> "text/css; charset=utf-8";
      case "svg" -> "image/svg+xml";
      default -> null;
    };
  }

  private void snapshot(HttpExchange exchange) throws IOException {
    String json = snapshots.latest();
    if (json == null) {
      exchange.getResponseHeaders().set("Retry-After", "1");
      say(exchange, 503, "The program has no figures yet.");
    } else {
      answer(exchange, 200, "application/json", json.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Server-sent events, until the program or the page has enough. */
  private void stream(HttpExchange exchange) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
    exchange.sendResponseHeaders(200, 0);
    OutputStream out = exchange.getResponseBody();
    out.write("retry: 1000\n\n".getBytes(StandardCharsets.UTF_8));
    out.flush();
    long seen = 0;
    try {
      while (true) {
        Snapshots.Numbered next = snapshots.after(seen);
        if (next == null) {
          return;
        }
        seen = next.number();
        out.write(event(next).getBytes(StandardCharsets.UTF_8));
        out.flush();
        if (next.last()) {
          // Whether the recording is complete is another question: a killed program's is not.
          out.write("event: last\ndata: last\n\n".getBytes(StandardCharsets.UTF_8));
          out.flush();
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String event(Snapshots.Numbered snapshot) {
    return "id: " + snapshot.number() + "\nevent: snapshot\ndata: " + snapshot.json() + "\n\n";
  }

  private static void say(HttpExchange exchange, int status, String line) throws IOException {
    answer(exchange, status, "text/plain", (line + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private static void answer(HttpExchange exchange, int status, String type, byte[] bytes)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    snapshots.end(); // else an open page would hold back the stop
    server.stop(GRACE_SECONDS);
    threads.shutdownNow();
  }

  /** The latest that is known, and who waits for the next. */
  static final class Snapshots {
    /** One, and which one it is; {@code last} if there will be no more. */
    record Numbered(long number, String json, boolean last) {}

    private @Nullable Numbered latest;
    private boolean ended;

    synchronized void end() {
      ended = true;
      notifyAll();
    }

    synchronized void publish(String json, boolean last) {
      latest = new Numbered(latest == null ? 1 : latest.number() + 1, json, last);
      notifyAll();
    }

    synchronized @Nullable String latest() {
      return latest == null ? null : latest.json();
    }

    /** The latest, as soon as it is a later one; null if there will be none. */
    synchronized @Nullable Numbered after(long number) throws InterruptedException {
      while (!ended && (latest == null || latest.number() <= number)) {
        wait();
      }
      return latest == null || latest.number() <= number ? null : latest;
    }
  }
}
