package dev.offcut.agent.publish;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A program that has directory streams until a shutdown hook closes them. */
final class OpenProgram {
  static final int COUNT = 50;

  private OpenProgram() {}

  /** Nothing is needed. */
  public static void main(String[] args) throws Exception {
    List<Stream<Path>> all = new ArrayList<>();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> all.forEach(Stream::close)));
    for (int i = 0; i < COUNT; i++) {
      all.add(open());
      Thread.sleep(20); // which takes the second in which rows are published
    }
    Thread.sleep(1_500);
  }

  @SuppressWarnings("StreamResourceLeak") // a hook closes it
  private static Stream<Path> open() throws IOException {
    return Files.list(Path.of("/"));
  }
}
