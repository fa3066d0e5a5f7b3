package dev.offcut.cli;

import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** {@code spec/report.schema.json}. */
final class ReportSchema {
  private static final Path FILE = Path.of("..", "..", "spec", "report.schema.json");

  private ReportSchema() {}

  /** What is wrong with a report. */
  static Set<ValidationMessage> problemsOf(String report) throws IOException {
    JsonSchema schema =
        JsonSchemaFactory.getInstance(VersionFlag.V202012).getSchema(Files.readString(FILE));
    return schema.validate(report, InputFormat.JSON);
  }
}
