package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The layers that the module's README lists: a type uses those of its own layer and below. */
final class LayersTest {
  private static final Path SOURCES = Path.of("src/main/java/dev/offcut/memory");

  /** A row of the table: names, then the number of the layer. */
  private static final Pattern ROW = Pattern.compile("^\\| (`.*`) \\| (\\d+) .*\\|$");

  private static final Pattern NAME = Pattern.compile("`(…?\\w+)`");

  /** What is no code: comments, text, and characters. */
  private static final Pattern NO_CODE =
      Pattern.compile(
          "/\\*.*?\\*/|//[^\n]*|\"(\\\\.|[^\"\\\\\n])*\"|'(\\\\.|[^'\\\\])+'", Pattern.DOTALL);

  private static final Pattern WORD = Pattern.compile("\\b[A-Z]\\w*\\b");

  /** The layer of each type. */
  static Map<String, Integer> layers(Path readme, Path sources) throws IOException {
    Map<String, Integer> layers = new TreeMap<>();
    List<String> types = types(sources);
    for (String line : Files.readAllLines(readme)) {
      for (MatchResult row : ROW.matcher(line).results().toList()) {
        for (MatchResult name : NAME.matcher(row.group(1)).results().toList()) {
          String pattern = name.group(1);
          for (String type : types) {
            if (type.equals(pattern)
                || (pattern.startsWith("…") && type.endsWith(pattern.substring(1)))) {
              layers.put(type, Integer.parseInt(row.group(2)));
            }
          }
        }
      }
    }
    return layers;
  }

  private static List<String> types(Path sources) throws IOException {
    List<String> types = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(sources, "[A-Z]*.java")) {
      for (Path file : files) {
        types.add(file.getFileName().toString().replace(".java", ""));
      }
    }
    types.sort(null);
    return types;
  }

  /** Each type that another uses, once: {@code user -> used}. */
  static List<String> uses(Path sources) throws IOException {
    List<String> uses = new ArrayList<>();
    List<String> types = types(sources);
    for (String type : types) {
      String code =
          NO_CODE.matcher(Files.readString(sources.resolve(type + ".java"))).replaceAll("");
      WORD.matcher(code)
          .results()
          .map(MatchResult::group)
          .filter(used -> !used.equals(type) && types.contains(used))
          .distinct()
          .forEach(used -> uses.add(type + " -> " + used));
    }
    return uses;
  }

  /** The uses of a type of a higher layer. */
  static List<String> upwardUses(Path readme, Path sources) throws IOException {
    Map<String, Integer> layers = layers(readme, sources);
    return uses(sources).stream()
        .filter(
            use -> {
              String[] ends = use.split(" -> ", 2);
              return layers.getOrDefault(ends[0], 0) < layers.getOrDefault(ends[1], 0);
            })
        .toList();
  }

  /** A program on JDK 23 can load them. */
  @Test
  void classes_areForJdk23AndNewer() throws Exception {
    Path classes =
        Path.of(MemoryPool.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    int looked = 0;
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(classes.resolve("dev/offcut/memory"), "*.class")) {
      for (Path file : files) {
        looked++;
        assertThat(ClassFile.of().parse(file).majorVersion())
            .as("%s", file)
            .isEqualTo(ClassFile.JAVA_23_VERSION);
      }
    }
    assertThat(looked).isGreaterThan(50);
  }

  @Test
  void types_areInALayer() throws IOException {
    assertThat(layers(Path.of("README.md"), SOURCES).keySet())
        .containsExactlyElementsOf(types(SOURCES));
  }

  @Test
  void types_useTheirOwnLayerAndThoseBelow() throws IOException {
    assertThat(uses(SOURCES)).hasSizeGreaterThan(100);
    assertThat(upwardUses(Path.of("README.md"), SOURCES)).isEmpty();
  }
}
