package dev.offcut.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.offcut.command.read.Failure;
import dev.offcut.command.read.Sources;
import dev.offcut.command.show.RulesText;
import dev.offcut.rules.Rule;
import dev.offcut.rules.Rules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The words about rules: lists, checks of files, and what became of rules in a program. */
class RulesCommandTest {
  private static final Path SPEC = Path.of("../../../spec");

  @TempDir private Path folder = Path.of("");

  private final Words words = new Words();

  private String file(String... rules) throws IOException {
    return Files.writeString(
            folder.resolve("my.json"),
            "{\"schema\": \"offcut.closeables/1\", \"rules\": [\n"
                + String.join(",\n", rules)
                + "]}")
        .toString();
  }

  private static String rule(String name, String more) {
    return "{\"class\": \"" + name + "\", \"closes\": [\"close\"]" + more + "}";
  }

  @Test
  void rules_areListedByLibrary() {
    assertThat(words.run("rules")).isZero();
    assertThat(words.said()).isEmpty();
    assertThat(words.printed())
        .contains("RocksDB   tried with rocksdbjni 9.7.3 and 11.8.1\n")
        .containsPattern(
            "  org.rocksdb.AbstractNativeReference +closed by close, disOwnNativeHandle +else"
                + " lost\n")
        .containsPattern("java.util.zip.Inflater +closed by end +else freed late, by a cleaner\n");
    for (Rule rule : Rules.builtIn().all()) {
      assertThat(words.printed()).contains("  " + rule.root() + " ");
    }
  }

  /** It can be changed, and given to --rules. */
  @Test
  void rules_asJson_areAFileOfTheSameRules() throws IOException {
    assertThat(words.run("rules", "--json")).isZero();
    String schema = Files.readString(SPEC.resolve("closeables.schema.json"));
    assertThat(
            JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(schema)
                .validate(words.printed(), InputFormat.JSON))
        .isEmpty();
    Rules again =
        Rules.read(
            "again.json",
            words.printed(),
            problem -> {
              throw new AssertionError(problem);
            });
    assertThat(again.all())
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("from")
        .isEqualTo(Rules.builtIn().all());
    assertThat(again.tried()).isEqualTo(Rules.builtIn().tried());
  }

  @Test
  void rules_ofAFile_areChecked() throws IOException {
    String file = file(rule("com.acme.Thing", ""), rule("java.util.zip.Inflater", ""));
    assertThat(words.run("rules", file)).isZero();
    assertThat(words.printed()).contains("  com.acme.Thing ");
    assertThat(words.said())
        .startsWith(
            file
                + ": 2 rules, 1 of them instead of a built-in rule; no problem. `offcut rules"
                + " test");
  }

  @Test
  void rules_ofAFileWithProblems_areSaidByLine() throws IOException {
    String file =
        file(
            rule("com.acme.Thing", ""),
            rule("com.acme.Thing", ""),
            "{\"class\": \"com.acme.Other\"}",
            rule("com.acme.Third", ", \"close\": \"stop\""));
    assertThat(words.run("rules", file)).isEqualTo(1);
    assertThat(words.said())
        .contains(
            file + ":3: there is a rule for com.acme.Thing in line 2, which is used; delete one",
            file + ":4: the rule for com.acme.Other has no \"closes\"; name the methods",
            file + ":5: \"close\" is no member of a rule; it is ignored",
            file + ": 2 rules; 3 problems.");
    assertThat(words.printed()).contains("com.acme.Thing", "com.acme.Third");
  }

  @Test
  void rules_ofWhatIsNoFileOfRules_areSaid() throws IOException {
    Path text = Files.writeString(folder.resolve("a.json"), "{\n\"rules\": [");
    assertThat(words.run("rules", text.toString())).isEqualTo(1);
    assertThat(words.said()).contains(text + ":2: this is no JSON: ");
    assertThat(words.run("rules", folder.resolve("none.json").toString())).isEqualTo(1);
    assertThat(words.said()).contains("none.json: there is no such file");
  }

  @Test
  void test_withoutCommand_isMisuse() {
    assertThat(words.run("rules", "test")).isEqualTo(2);
    assertThat(words.said())
        .contains("there is no program after --; write: offcut rules test --" + " java …");
  }

  /** What is not counted comes first. */
  @Test
  void matched_saysOfEachClassWhatBecameOfIt() throws IOException, Failure {
    Path recording = folder.resolve("closing.jfr");
    Scenario.closing().write(recording);
    assertThat(RulesText.matched(Sources.read(recording.toString()).digest()))
        .isEqualTo(
            """
            unknown, process -1

            Not counted: 1
              com.acme.NativeThing   (--watch)
                  not loaded: no class of this name has been loaded

            Counted: 3
              org.rocksdb.RocksIterator   (RocksDB)
                  opens <init>; closes close; opened 60,000, closed 47,595, freed by the collector 0, lost
                  12,400, open 5
              sun.nio.ch.FileChannelImpl   (the JDK)
                  opens <init>; closes close; opened 900, closed 100, freed by the collector 800, lost 0, open 0
              org.h2.jdbc.JdbcStatement   (H2)
                  opens <init>; closes close; opened 900, closed 0, freed by the collector 900, lost 0, open 0
            """);
  }
}
