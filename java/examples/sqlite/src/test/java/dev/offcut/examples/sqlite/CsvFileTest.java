package dev.offcut.examples.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 4180, and the line of what does not keep to it. */
final class CsvFileTest {
  private final Path directory;

  CsvFileTest(@TempDir Path directory) {
    this.directory = directory;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a,b\n1,2\n3,4\n",
        "a,b\n1,2\n3,4",
        "a,b\r\n1,2\r\n3,4\r\n",
        "\uFEFFa,b\n1,2\r\n3,4\r"
      })
  void read_eachKindOfLineEnd_isTheSame(String text) throws Exception {
    assertThat(read(text)).containsExactly(List.of("1", "2"), List.of("3", "4"));
  }

  @Test
  void read_quotes_keepWhatTheyHold() throws Exception {
    String text = "\"a \"\"b\"\"\",c\n\"x,y\",\"1\r\n2\"\n\"\",\"\"\"\"\n,\n";
    assertThat(read(text))
        .containsExactly(List.of("x,y", "1\r\n2"), List.of("", "\""), List.of("", ""));
  }

  @Test
  void columns_ofAHeader_areItsNames() throws Exception {
    try (CsvFile csv = CsvFile.open(write("\"a \"\"b\"\"\",größe\n"))) {
      assertThat(csv.columns())
          .extracting(Records.Column::name)
          .containsExactly("a \"b\"", "größe");
    }
  }

  @Test
  void read_blankLines_arePassedOverWhereTheyCannotBeRecords() throws Exception {
    assertThat(read("a,b\n\n1,2\n\r\n\n")).containsExactly(List.of("1", "2"));
    assertThat(read("a\n\nx\n")).containsExactly(List.of(""), List.of("x"));
  }

  @Test
  void read_moreThanABuffer_isWhole() throws Exception {
    String cell = "ü🎁\"\"\n".repeat(30_000);
    assertThat(read("a,b\n\"" + cell + "\",2\n3,4\n"))
        .containsExactly(List.of(cell.replace("\"\"", "\""), "2"), List.of("3", "4"));
  }

  @Test
  void read_theReplacementCharacterItself_isText() throws Exception {
    assertThat(read("a,b\n\uFFFD,2\n")).containsExactly(List.of("\uFFFD", "2"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "a,b;1,2;3           | 3: has 1 field, the header 2",
        "a,b;1,2,3           | 2: has 3 fields, the header 2",
        "a,b;'1;2',x,y       | 2: has 3 fields, the header 2",
        "a,b;'1;2',3;4       | 4: has 1 field, the header 2",
        "a,b;1,'2            | 2: a quoted field begins here and does not end",
        "a,b;'x;y',2'3       | 3: a quote inside a field that does not begin with one",
        "a,b;'x;y'z,2        | 3: more text after the closing quote of a field",
        "a,;1,2              | 1: column 2 of the header has no name",
        "a,A;1,2             | 1: the header names the column \"A\" twice",
      })
  void read_badCsv_namesLineAndReason(String text, String problem) {
    assertThatThrownBy(() -> read(text.strip().replace(';', '\n').replace('\'', '"')))
        .isInstanceOf(BadInput.class)
        .hasMessage(directory.resolve("file.csv") + ":" + problem.strip());
  }

  @Test
  void read_bytesThatAreNotUtf8_namesTheLine() throws Exception {
    Path file = directory.resolve("latin1.csv");
    Files.write(file, "a,b\nx,y\nZürich,2\n".getBytes(StandardCharsets.ISO_8859_1));
    assertThatThrownBy(() -> readAll(file)).hasMessage(file + ":3: is not UTF-8");
  }

  @Test
  void open_whatIsNoFile_saysWhy() throws Exception {
    Path none = directory.resolve("none.csv");
    assertThatThrownBy(() -> CsvFile.open(none)).hasMessage(none + ": no such file or directory");
    assertThatThrownBy(() -> CsvFile.open(directory))
        .hasMessage(directory + ": is a directory, not a CSV file");
    Path empty = write("");
    assertThatThrownBy(() -> CsvFile.open(empty))
        .hasMessage(empty + ": is empty; the first line names the columns");
  }

  private List<List<String>> read(String text) throws Exception {
    return readAll(write(text));
  }

  private static List<List<String>> readAll(Path file) throws BadInput {
    List<List<String>> all = new ArrayList<>();
    try (CsvFile csv = CsvFile.open(file)) {
      for (String[] cells = csv.next(); cells != null; cells = csv.next()) {
        all.add(List.of(cells));
      }
      assertThat(csv.position()).isEqualTo(csv.size());
    }
    return all;
  }

  private Path write(String text) throws IOException {
    return Files.writeString(directory.resolve("file.csv"), text);
  }
}
