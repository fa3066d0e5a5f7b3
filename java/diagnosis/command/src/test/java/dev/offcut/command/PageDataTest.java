package dev.offcut.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the page is tested with is what the command writes: data of the same schemas. */
class PageDataTest {
  private static final Path FOLDER = Path.of("..", "..", "..", "web", "test", "data");

  @ParameterizedTest
  @CsvSource({
    "empty, report-1.schema.json",
    "leak, report-1.schema.json",
    "big, report-1.schema.json",
    "accounted, report.schema.json",
    "fleet, fleet-report.schema.json"
  })
  void data_areOfTheirSchema(String name, String schema) throws IOException {
    assertThat(ReportSchema.problemsOf(Files.readString(FOLDER.resolve(name + ".json")), schema))
        .isEmpty();
  }

  @Test
  void data_areAllLookedAt() throws IOException {
    try (var files = Files.list(FOLDER)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "empty.json", "leak.json", "big.json", "accounted.json", "fleet.json");
    }
  }

  @Test
  void reportThatLacksSomething_isNotOfItsSchema() throws IOException {
    JsonNode report = new ObjectMapper().readTree(FOLDER.resolve("accounted.json").toFile());
    ((ObjectNode) report.required("memory")).remove("parts");
    assertThat(ReportSchema.problemsOf(report.toString())).hasSize(1);
  }
}
