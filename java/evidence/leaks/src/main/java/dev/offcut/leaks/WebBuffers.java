package dev.offcut.leaks;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** A client of WebFlux reads the buffers of each response and does not release them. */
public final class WebBuffers {
  private static final int RESPONSES = 3_000;
  private static final int BYTES = 20_000;
  private static long total;

  private WebBuffers() {}

  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    byte[] body = new byte[BYTES];
    DisposableServer server =
        HttpServer.create()
            .host("127.0.0.1")
            .port(0)
            .handle((request, response) -> response.sendByteArray(Mono.just(body)))
            .bindNow();
    WebClient client = WebClient.create("http://127.0.0.1:" + server.port() + "/");
    Observer.begin();
    for (int i = 0; i < RESPONSES; i++) {
      fetch(client, fixed);
    }
    Observer.end();
    System.out.println("bytes " + total);
    System.exit(0);
  }

  private static void fetch(WebClient client, boolean fixed) {
    client
        .get()
        .retrieve()
        .bodyToFlux(DataBuffer.class)
        .doOnNext(buffer -> read(buffer, fixed)) // the leak
        .blockLast(); // the leak
  }

  private static void read(DataBuffer buffer, boolean fixed) {
    total += buffer.readableByteCount(); // the leak
    if (fixed) {
      DataBufferUtils.release(buffer);
    }
  }
}
