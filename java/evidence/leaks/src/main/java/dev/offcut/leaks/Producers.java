package dev.offcut.leaks;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.StringSerializer;

/** A sink makes a producer for each batch and does not close it. */
public final class Producers {
  private static final int BATCHES = 400;

  private Producers() {}

  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    Observer.begin();
    for (int i = 0; i < BATCHES; i++) {
      flush(fixed);
    }
    Observer.end();
    System.exit(0);
  }

  private static void flush(boolean fixed) {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", "127.0.0.1:9", "reconnect.backoff.ms", "1000");
    StringSerializer text = new StringSerializer();
    KafkaProducer<String, String> producer = new KafkaProducer<>(settings, text, text); // the leak
    if (fixed) {
      producer.close(Duration.ZERO);
    }
  }
}
