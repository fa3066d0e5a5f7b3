package dev.offcut.examples.orders;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * A service of Spring Boot that signs invoices, with its metrics and the endpoint {@code offcut}.
 * It leaks, unless it is told not to: {@code --leak=false}.
 */
@SpringBootApplication
public class Main {
  /** Makes the application. Spring calls it. */
  public Main() {}

  /**
   * Serves until it is ended.
   *
   * @param args properties of Spring, such as {@code --leak=false} or {@code --server.port=9464}
   */
  public static void main(String[] args) {
    SpringApplication.run(Main.class, args);
  }
}
