package dev.offcut.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JsonFileTest {
  @Test
  void write_newFile_leavesNothingElse(@TempDir Path folder) throws IOException {
    Path target = folder.resolve("rows.json");
    JsonFile.at(target).write(writer -> writer.write("{}"));
    assertThat(target).hasContent("{}");
    assertThat(folder).isDirectoryContaining(target::equals);
    assertThat(folder.toFile().list()).hasSize(1);
  }

  @Test
  void at_existingFile_keepsItUntilItIsWritten(@TempDir Path folder) throws IOException {
    Path target = Files.writeString(folder.resolve("rows.json"), "before");
    JsonFile file = JsonFile.at(target);
    assertThat(target).hasContent("before");
    file.write(writer -> writer.write("after"));
    assertThat(target).hasContent("after");
  }

  @Test
  void at_directory_isRefused(@TempDir Path folder) {
    assertThatIOException()
        .isThrownBy(() -> JsonFile.at(folder))
        .withMessageContaining("is a directory");
  }

  @Test
  void at_missingDirectory_isRefused(@TempDir Path folder) {
    assertThatIOException()
        .isThrownBy(() -> JsonFile.at(folder.resolve("no").resolve("rows.json")))
        .withMessageContaining("no such directory");
  }
}
