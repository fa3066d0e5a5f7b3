package dev.offcut.bench;

import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** The schemas of the folder {@code spec}. */
public final class Schemas {
  private static final Path FOLDER = Path.of("..", "..", "..", "spec");

  private Schemas() {}

  /** What is wrong with JSON, by one of the schemas. */
  public static Set<ValidationMessage> problemsOf(String json, String name) throws IOException {
    JsonSchema schema =
        JsonSchemaFactory.getInstance(VersionFlag.V202012)
            .getSchema(Files.readString(FOLDER.resolve(name)));
    return schema.validate(json, InputFormat.JSON);
  }
}
