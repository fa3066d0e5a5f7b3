package dev.offcut.leaks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** leaks.json against its schema and the programs. */
class TruthTest {
  private static final Path SOURCES = Path.of("src", "main", "java", "dev", "offcut", "leaks");
  private static final String MARK = "// the leak";
  private static final List<String> HAVE_NO_LINE =
      List.of("tomcat_redeploy", "malloc_arenas", "heap_kept", "c2_spike");
  private static final int MOST_LINES = 120;

  private static JsonNode leaks() throws IOException {
    return new ObjectMapper().readTree(Files.readString(Path.of("leaks.json"))).required("leaks");
  }

  @Test
  void truth_fitsItsSchema() throws IOException {
    assertThat(
            JsonSchemaFactory.getInstance(VersionFlag.V202012)
                .getSchema(Files.readString(Path.of("leaks.schema.json")))
                .validate(Files.readString(Path.of("leaks.json")), InputFormat.JSON))
        .isEmpty();
    assertThat(leaks()).hasSize(49);
  }

  @Test
  void lines_areThoseThatTheProgramsMark() throws IOException {
    for (JsonNode leak : leaks()) {
      Path source = SOURCES.resolve(leak.required("main").textValue() + ".java");
      List<String> text = Files.readAllLines(source);
      assertThat(text).as(source.toString()).hasSizeLessThanOrEqualTo(MOST_LINES);
      List<String> marked = new ArrayList<>();
      for (int i = 0; i < text.size(); i++) {
        if (text.get(i).contains(MARK)) {
          marked.add(source.getFileName() + ":" + (i + 1));
        }
      }
      List<String> lines = leak.required("lines").valueStream().map(JsonNode::textValue).toList();
      assertThat(marked).as(source.toString()).isNotEmpty().containsAll(lines);
      if (lines.isEmpty()) {
        assertThat(HAVE_NO_LINE).contains(leak.required("name").textValue());
      }
    }
  }

  @Test
  void programs_areAllInTheTruth() throws IOException {
    List<String> named =
        leaks()
            .valueStream()
            .map(leak -> leak.required("main").textValue() + ".java")
            .distinct()
            .toList();
    try (Stream<Path> files = Files.list(SOURCES)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .filteredOn(file -> !file.startsWith("package-"))
          .filteredOn(file -> !List.of("Observer.java", "Scratch.java").contains(file))
          .containsExactlyInAnyOrderElementsOf(named);
    }
  }
}
