package dev.offcut.leaks;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;

/** Each session makes a client of its own, which nobody closes. */
public final class HttpClients {
  private static final int SESSIONS = 400;
  private static final List<HttpClient> OPEN = new ArrayList<>();

  private HttpClients() {}

  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    server.start();
    URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    Observer.begin();
    HttpClient shared = HttpClient.newHttpClient();
    for (int i = 0; i < SESSIONS; i++) {
      HttpClient client = fixed ? shared : connect();
      client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding());
    }
    Observer.end();
    System.exit(0);
  }

  private static HttpClient connect() {
    HttpClient client = HttpClient.newHttpClient(); // the leak
    OPEN.add(client);
    return client;
  }
}
