package dev.offcut.metrics;

import dev.offcut.memory.MemoryPool;
import dev.offcut.memory.Owner;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * A web application of Spring Boot with a buffer, two handles and, where the JDK has them, a pool.
 * It asks its own endpoint until a word is in the answer, and prints what it got. Its arguments:
 * the word, and what Boot takes as properties.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class BootProgram {
  private static final int FIRST_WITH_POOLS = 23;

  private static final String HANDLES = "metrics/offcut.handle.open?tag=type:picture";
  private static final String BUFFERS = "metrics/offcut.resource.bytes?tag=kind:buffer.direct";

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  /** In a class of its own: without pools it is not loaded. */
  private static final class Pool {
    private Pool() {}

    static Object create() {
      MemoryPool pool = MemoryPool.named("server").limit(1L << 30).create();
      Owner cache = pool.owner().child("cache").create();
      cache.allocateChunk(1 << 20);
      return pool;
    }
  }

  public static void main(String[] arguments) throws Exception {
    SpringApplication application = new SpringApplication(BootProgram.class);
    if (arguments[1].equals("own")) {
      application.addInitializers(
          starting -> starting.getBeanFactory().registerSingleton("mine", new OffcutMetrics(1)));
    }
    ByteBuffer buffer = ByteBuffer.allocateDirect(7 << 20);
    Object pool = Runtime.version().feature() < FIRST_WITH_POOLS ? "none" : Pool.create();
    try (Image open = Image.of(Image.type("picture"));
        ConfigurableApplicationContext context = application.run(arguments)) {
      String base =
          "http://localhost:"
              + context.getEnvironment().getRequiredProperty("local.server.port")
              + "/actuator/";
      String answer = get(base + "offcut");
      while (!answer.contains(arguments[0])) {
        TimeUnit.MILLISECONDS.sleep(50);
        answer = get(base + "offcut");
      }
      System.out.println("endpoint " + answer);
      System.out.println("meters " + get(base + "metrics"));
      String handles = get(base + HANDLES);
      String buffers = get(base + BUFFERS);
      while (answer.contains("\"account\"") && buffers.startsWith("404 ")) {
        TimeUnit.MILLISECONDS.sleep(50); // the binder has a reading of its own
        handles = get(base + HANDLES);
        buffers = get(base + BUFFERS);
      }
      System.out.println("handles " + handles);
      System.out.println("buffers " + buffers);
      System.out.println("binder " + context.containsBean("offcutMetrics"));
      System.out.println("kept " + open + buffer + pool);
    }
  }

  private static String get(String address) throws IOException, InterruptedException {
    HttpResponse<String> response =
        CLIENT.send(
            HttpRequest.newBuilder(URI.create(address)).build(),
            HttpResponse.BodyHandlers.ofString());
    return response.statusCode() + " " + response.body().replace('\n', ' ');
  }
}
