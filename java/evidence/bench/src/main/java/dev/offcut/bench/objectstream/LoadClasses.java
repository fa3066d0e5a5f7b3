package dev.offcut.bench.objectstream;

import dev.offcut.bench.child.Child;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * {@code startup} and {@code appcds_1000}: a program that loads all classes of leaves.
 *
 * <p>Arguments: how many; where the JVM logs the classes it loads, or nothing.
 */
public final class LoadClasses {
  private static final String FROM_ARCHIVE = "source: shared objects file";

  private LoadClasses() {}

  public static void main(String[] args) throws ReflectiveOperationException, IOException {
    for (int i = 0; i < Integer.parseInt(args[0]); i++) {
      Class.forName(Leaf.className(i));
    }
    if (args.length > 1) {
      Child.figure("classes_from_archive", fromArchive(Path.of(args[1])), "count");
    }
  }

  private static long fromArchive(Path log) throws IOException {
    Pattern line =
        Pattern.compile(" " + Pattern.quote(Leaf.class.getName()) + "\\d+ " + FROM_ARCHIVE);
    try (Stream<String> lines = Files.lines(log)) {
      return lines.filter(line.asPredicate()).count();
    }
  }
}
