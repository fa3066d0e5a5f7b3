package dev.offcut.command;

import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** {@code spec/report.schema.json}, and others beside it. */
final class ReportSchema {
  private static final Path FOLDER = Path.of("..", "..", "..", "spec");

  private ReportSchema() {}

  static Set<ValidationMessage> problemsOf(String report) throws IOException {
    return problemsOf(report, "report.schema.json");
  }

  /** What is wrong with a text of a schema in the folder {@code spec}. */
  static Set<ValidationMessage> problemsOf(String json, String file) throws IOException {
    JsonSchema schema =
        JsonSchemaFactory.getInstance(VersionFlag.V202012)
            .getSchema(Files.readString(FOLDER.resolve(file)));
    return schema.validate(json, InputFormat.JSON);
  }
}
