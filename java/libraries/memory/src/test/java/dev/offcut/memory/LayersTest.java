package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.net.URISyntaxException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The layers that the module's README lists: a type uses those of its own layer and below. */
final class LayersTest {
  /** A row of the table: names, then the number of the layer. */
  private static final Pattern ROW = Pattern.compile("^\\| (`.*`) \\| (\\d+) .*\\|$");

  private static final Pattern NAME = Pattern.compile("`(…?\\w+)`");

  /** A module with layers, and how many uses its types have of each other at the least. */
  enum Module {
    MEMORY(MemoryPool.class, 200);

    final Class<?> sample;
    final int uses;

    Module(Class<?> sample, int uses) {
      this.sample = sample;
      this.uses = uses;
    }

    /** The layer of each type that the README names. */
    Map<String, Integer> layers() throws IOException {
      Path readme = Path.of("..", toString(), "README.md");
      Map<String, Integer> layers = new TreeMap<>();
      for (String line : Files.readAllLines(readme)) {
        for (MatchResult row : ROW.matcher(line).results().toList()) {
          for (MatchResult name : NAME.matcher(row.group(1)).results().toList()) {
            layers.put(name.group(1), Integer.parseInt(row.group(2)));
          }
        }
      }
      return layers;
    }

    /** What a class file of each type names of the others; those of nested types are its own. */
    Map<String, Set<String>> uses() throws IOException, URISyntaxException {
      Map<String, Set<String>> uses = new TreeMap<>();
      Path place = Path.of(sample.getProtectionDomain().getCodeSource().getLocation().toURI());
      if (Files.isDirectory(place)) {
        addUses(place, uses);
      } else {
        try (FileSystem jar = FileSystems.newFileSystem(place)) {
          addUses(jar.getPath("/"), uses);
        }
      }
      return uses;
    }

    private void addUses(Path root, Map<String, Set<String>> uses) throws IOException {
      String folder = sample.getPackageName().replace('.', '/') + "/";
      Pattern named = Pattern.compile("(?<![\\w/])L?" + folder + "(\\w+)");
      try (DirectoryStream<Path> files =
          Files.newDirectoryStream(root.resolve(folder), "*.class")) {
        for (Path file : files) {
          String type = file.getFileName().toString().replaceAll("[$.].*", "");
          if (!type.equals("package-info")) {
            ClassModel model = ClassFile.of().parse(Files.readAllBytes(file));
            Set<String> of = uses.computeIfAbsent(type, unseen -> new TreeSet<>());
            for (PoolEntry entry : model.constantPool()) {
              if (entry instanceof Utf8Entry text) {
                named.matcher(text.stringValue()).results().forEach(use -> of.add(use.group(1)));
              }
            }
            of.remove(type);
          }
        }
      }
    }

    @Override
    public String toString() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  private static int layer(Map<String, Integer> layers, String type) {
    Integer layer = layers.get(type);
    return layer != null
        ? layer
        : layers.entrySet().stream()
            .filter(e -> e.getKey().startsWith("…") && type.endsWith(e.getKey().substring(1)))
            .mapToInt(Map.Entry::getValue)
            .findFirst()
            .orElse(0);
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

  @ParameterizedTest
  @EnumSource
  void types_areInALayer(Module module) throws Exception {
    Map<String, Integer> layers = module.layers();
    assertThat(module.uses().keySet()).allMatch(type -> layer(layers, type) > 0);
    assertThat(layers.keySet())
        .filteredOn(name -> !name.startsWith("…"))
        .isSubsetOf(module.uses().keySet());
  }

  @ParameterizedTest
  @EnumSource
  void types_useTheirOwnLayerAndThoseBelow(Module module) throws Exception {
    Map<String, Integer> layers = module.layers();
    Map<String, Set<String>> uses = module.uses();
    assertThat(uses.values().stream().mapToInt(Set::size).sum()).isGreaterThan(module.uses);
    Map<String, Set<String>> upward =
        uses.entrySet().stream()
            .collect(
                Collectors.toMap(
                    Map.Entry::getKey,
                    use ->
                        use.getValue().stream()
                            .filter(to -> layer(layers, use.getKey()) < layer(layers, to))
                            .collect(Collectors.toCollection(TreeSet::new))));
    upward.values().removeIf(Set::isEmpty);
    assertThat(upward).isEmpty();
  }
}
