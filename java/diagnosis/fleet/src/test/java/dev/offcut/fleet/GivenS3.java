package dev.offcut.fleet;

import static java.time.format.DateTimeFormatter.RFC_1123_DATE_TIME;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server with one bucket: what fleets ask of S3, with pages of seven keys. The real ones are in
 * {@code test/s3.sh}.
 */
final class GivenS3 implements AutoCloseable {
  static final String BUCKET = "offcut";
  static final String KEY = "OFFCUTKEY";
  private static final int PAGE = 7;

  static {
    // Otherwise each answer waits for the client's delayed acknowledgement, which takes 40 ms.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private static final class Content {
    final byte[] bytes;
    final Instant written;

    Content(byte[] bytes, Instant written) {
      this.bytes = bytes;
      this.written = written;
    }
  }

  private final HttpServer server;
  private final ConcurrentSkipListMap<String, Content> contents = new ConcurrentSkipListMap<>();

  /** How many files were there already, and were fetched. */
  final AtomicInteger refused = new AtomicInteger();

  final AtomicInteger gets = new AtomicInteger();

  /** Does not know conditions, and says so. */
  volatile boolean withoutConditions;

  /** Runs before the list of processes that brings this to 0 is answered. */
  final AtomicInteger listsToGo = new AtomicInteger();

  volatile Runnable meanwhile = () -> {};

  GivenS3() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::handle);
    server.start();
  }

  String endpoint() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  Map<String, byte[]> contents() {
    Map<String, byte[]> all = new TreeMap<>();
    contents.forEach((key, content) -> all.put(key, content.bytes));
    return all;
  }

  void put(String key, byte[] bytes) {
    contents.put(key, new Content(bytes, Instant.ofEpochSecond(1_790_000_000)));
  }

  private void handle(HttpExchange exchange) {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      String[] path = exchange.getRequestURI().getPath().substring(1).split("/", 2);
      String key = path.length < 2 ? "" : path[1];
      String authorization = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
      if (!authorization.contains("Credential=" + KEY + "/")) {
        error(exchange, 403, "InvalidAccessKeyId");
      } else if (!path[0].equals(BUCKET)) {
        error(exchange, 404, "NoSuchBucket");
      } else if (key.isEmpty()) {
        list(exchange);
      } else {
        one(exchange, key, body);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void one(HttpExchange exchange, String key, byte[] body) throws IOException {
    switch (exchange.getRequestMethod()) {
      case "PUT" -> put(exchange, key, body);
      case "DELETE" -> {
        contents.remove(key);
        answer(exchange, 204, new byte[0]);
      }
      default -> {
        Content content = contents.get(key);
        if (content == null) {
          error(exchange, 404, "NoSuchKey");
          return;
        }
        gets.incrementAndGet();
        String date = RFC_1123_DATE_TIME.format(content.written.atOffset(ZoneOffset.UTC));
        exchange.getResponseHeaders().set("Last-Modified", date);
        answer(exchange, 200, content.bytes);
      }
    }
  }

  private void put(HttpExchange exchange, String key, byte[] body) throws IOException {
    boolean isConditional = exchange.getRequestHeaders().containsKey("If-None-Match");
    if (isConditional && withoutConditions) {
      error(exchange, 501, "NotImplemented");
      return;
    }
    Content content = new Content(body, Instant.ofEpochSecond(System.currentTimeMillis() / 1000));
    if (isConditional && contents.putIfAbsent(key, content) != null) {
      refused.incrementAndGet();
      error(exchange, 412, "PreconditionFailed");
      return;
    }
    contents.put(key, content);
    answer(exchange, 200, new byte[0]);
  }

  private void list(HttpExchange exchange) throws IOException {
    Map<String, String> query = new HashMap<>();
    for (String pair : String.valueOf(exchange.getRequestURI().getRawQuery()).split("&", -1)) {
      String[] parts = pair.split("=", 2);
      query.put(
          parts[0], parts.length < 2 ? "" : URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
    }
    String prefix = query.getOrDefault("prefix", "");
    if (prefix.endsWith("/processes/")
        && !query.containsKey("continuation-token")
        && listsToGo.decrementAndGet() == 0) {
      meanwhile.run();
    }
    String delimiter = query.getOrDefault("delimiter", "");
    TreeMap<String, String> found = new TreeMap<>();
    contents
        .tailMap(prefix)
        .forEach(
            (key, content) -> {
              int end = delimiter.isEmpty() ? -1 : key.indexOf(delimiter, prefix.length());
              if (key.startsWith(prefix) && end >= 0) {
                String common = key.substring(0, end + 1);
                found.put(
                    common, "<CommonPrefixes><Prefix>" + common + "</Prefix></CommonPrefixes>");
              } else if (key.startsWith(prefix)) {
                found.put(
                    key,
                    "<Contents><Key>%s</Key><LastModified>%s</LastModified><Size>%d</Size></Contents>"
                        .formatted(key, content.written, content.bytes.length));
              }
            });
    StringBuilder xml = new StringBuilder("<ListBucketResult>");
    int count = 0;
    String last = "";
    String from = query.getOrDefault("continuation-token", "");
    for (Map.Entry<String, String> one : found.tailMap(from, false).entrySet()) {
      if (count == PAGE) {
        xml.append("<IsTruncated>true</IsTruncated><NextContinuationToken>")
            .append(last)
            .append("</NextContinuationToken>");
        break;
      }
      count++;
      last = one.getKey();
      xml.append(one.getValue());
    }
    xml.append("</ListBucketResult>");
    answer(exchange, 200, xml.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static void error(HttpExchange exchange, int status, String code) throws IOException {
    String xml = "<Error><Code>" + code + "</Code></Error>";
    answer(exchange, status, xml.getBytes(StandardCharsets.UTF_8));
  }

  private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
    boolean isHead = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(status, isHead || body.length == 0 ? -1 : body.length);
    if (!isHead && body.length > 0) {
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
