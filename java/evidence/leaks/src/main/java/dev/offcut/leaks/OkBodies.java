package dev.offcut.leaks;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/** A health check looks at the code of a response and does not close its body. */
public final class OkBodies {
  private static final int CHECKS = 500;
  private static final OkHttpClient CLIENT = new OkHttpClient();

  private OkBodies() {}

  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    byte[] body = new byte[50_000];
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    Observer.begin();
    long sum = 0;
    for (int i = 0; i < CHECKS; i++) {
      sum += check(url, fixed);
    }
    Observer.end();
    System.out.println("sum " + sum);
    System.exit(0);
  }

  private static int check(String url, boolean fixed) throws IOException {
    Request request = new Request.Builder().url(url).build();
    Response response = CLIENT.newCall(request).execute(); // the leak
    int code = response.code();
    if (fixed) {
      response.close();
    }
    return code;
  }
}
