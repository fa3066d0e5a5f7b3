package dev.offcut.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.offcut.rules.Rule.FreedBy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RulesTest {
  private static final Path SPEC = Path.of("../../../spec");

  private final List<String> problems = new ArrayList<>();

  private List<Rule> read(String... rules) {
    return Rules.read("my.json", file(rules), problems::add).all();
  }

  /** The rules begin in line 2. */
  private static String file(String... rules) {
    return "{\"schema\": \"offcut.closeables/1\", \"rules\": [\n"
        + String.join(",\n", rules)
        + "]}";
  }

  private static String rule(String name, String more) {
    return "{\"class\": \"" + name + "\", \"closes\": [\"close\"]" + more + "}";
  }

  private static List<String> violations(String json) throws IOException {
    String schema = Files.readString(SPEC.resolve("closeables.schema.json"));
    return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
        .getSchema(schema)
        .validate(json, InputFormat.JSON)
        .stream()
        .map(Object::toString)
        .toList();
  }

  @Test
  void builtIn_isOfItsSchema_andHasNoProblem() throws IOException {
    assertThat(violations(Files.readString(SPEC.resolve("closeables.json")))).isEmpty();
    assertThat(Rules.builtIn().all()).hasSizeGreaterThan(30);
  }

  /** The jar has them in another form. */
  @Test
  void builtIn_areThoseOfTheFile() throws IOException {
    Rules file =
        Rules.read(
            Rules.BUILT_IN, Files.readString(SPEC.resolve("closeables.json")), problems::add);
    assertThat(Rules.builtIn().all()).isEqualTo(file.all()).isEqualTo(RuleTable.all());
    assertThat(Rules.builtIn().tried()).isEqualTo(file.tried());
    assertThat(problems).isEmpty();
    assertThat(file.all()).anyMatch(rule -> !rule.byDefault()).noneMatch(Rule::isOfUser);
  }

  @Test
  void read_defaults() {
    Rule rule = read(rule("com.acme.Native", "")).get(0);
    assertThat(problems).isEmpty();
    assertThat(rule)
        .isEqualTo(
            new Rule(
                "com.acme.Native",
                "com.acme.Native",
                List.of("<init>"),
                List.of("close"),
                FreedBy.NOBODY,
                true,
                List.of(),
                List.of(),
                "malloc",
                "",
                "close each in try-with-resources",
                true,
                "my.json:2"));
  }

  @Test
  void read_allMembers() throws IOException {
    String all =
        "{\"library\": \"Acme\", \"class\": \"com.acme.N\", \"called\": \"thing\", \"opens\":"
            + " [\"open(I)V\", \"accept(La/B;)V#1\"],"
            + " \"closes\": [\"close\", \"free(Z)V\"], \"reopens\": [\"reset\"],"
            + " \"freedBy\": \"cleaner\", \"subclasses\": false, \"wrappers\": [\"com.acme.V\"],"
            + " \"holds\": \"descriptor\", \"advice\": \"do \\u0041\", \"remark\": \"\","
            + " \"byDefault\": false}";
    assertThat(violations(file(all))).isEmpty();
    assertThat(read(all))
        .containsExactly(
            new Rule(
                "Acme",
                "com.acme.N",
                List.of("open(I)V", "accept(La/B;)V#1"),
                List.of("close", "free(Z)V"),
                FreedBy.CLEANER,
                false,
                List.of("reset"),
                List.of("com.acme.V"),
                "descriptor",
                "thing",
                "do A",
                false,
                "my.json:2"));
    assertThat(problems).isEmpty();
  }

  /** One sentence each, with file and line; the rest goes on. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"closes\": [\"close\"]} | has no \"class\"; name the class",
        "{\"class\": \"a.B\"} | for a.B has no \"closes\"; name the methods",
        "{\"class\": \"a.B\", \"closes\": []} | for a.B has no \"closes\"; name the methods",
        "{\"class\": \"a/B\", \"closes\": [\"close\"]} | a/B is no name of a class; write it with dots",
        "{\"class\": \"a.B\", \"closes\": [\"close\"], \"freedBy\": \"me\"} | \"me\" is none of nobody, cleaner,",
        "17 | one of the rules is no object: 17",
      })
  void read_ruleThatCannotBeUsed_isLeftOut(String bad, String sentence) {
    assertThat(read(bad, rule("a.C", ""))).extracting(Rule::root).containsExactly("a.C");
    assertThat(problems).singleElement().asString().contains(sentence).matches("my.json:[12]: .*");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"closed\": 1 | \"closed\" is no member of a rule; it is ignored. Known are advice,",
        "\"opens\": [\"close it\"] | \"close it\" in \"opens\" is no method; write its name",
        "\"reopens\": [\"<init>\"] | \"<init>\" in \"reopens\" is no method",
        "\"opens\": [\"accept(I)V#1\"] | \"accept(I)V#1\" in \"opens\" is no method",
        "\"opens\": [\"accept(La/B;)V#2\"] | \"accept(La/B;)V#2\" in \"opens\" is no method",
        "\"opens\": [\"<init>(La/B;)V#1\"] | \"<init>(La/B;)V#1\" in \"opens\" is no method",
        "\"reopens\": [\"accept(La/B;)V#1\"] | \"accept(La/B;)V#1\" in \"reopens\" is no method",
        "\"called\": \"\\u001b[2J\" | \"called\" has a character that controls terminals; it is",
        "\"advice\": 5 | \"advice\" is no text in quotes; it is ignored",
        "\"wrappers\": [5] | \"wrappers\" has a value that is no text in quotes",
      })
  void read_memberThatIsWrong_isIgnored(String bad, String sentence) {
    assertThat(read(rule("a.B", ", " + bad))).hasSize(1);
    assertThat(problems).singleElement().asString().startsWith("my.json:2: ").contains(sentence);
  }

  @Test
  void read_twoRulesForOneClass_firstIsUsed() {
    List<Rule> rules = read(rule("a.B", ", \"library\": \"first\""), rule("a.B", ""));
    assertThat(rules).extracting(Rule::library).containsExactly("first");
    assertThat(problems)
        .containsExactly(
            "my.json:3: there is a rule for a.B in line 2, which is used; delete one of the two");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "{", "nothing", "{\"a\" 1}", "{\"a\": 1,}",
        "[1 2]", "\"\\x\"", "\"\\u12\"", "\"a", "1f",
        "+1", "{} x", "{\"a\": 1, \"a\": 2}"
      })
  void read_noJson_isSaid(String text) {
    assertThat(Rules.read("my.json", "\n" + text, problems::add).all()).isEmpty();
    assertThat(problems)
        .singleElement()
        .asString()
        .startsWith("my.json:2: this is no JSON: ")
        .endsWith("; none of the file's rules is used");
  }

  @Test
  void read_nestedWithoutEnd_isSaid() {
    Rules.read("my.json", "[".repeat(100_000), problems::add);
    assertThat(problems).singleElement().asString().contains("nested more than 32 deep");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[1] | this is no object with \"rules\"",
        "{\"schema\": \"offcut.closeables/1\"} | there is no list \"rules\"",
        "{\"rules\": []} | there is no \"schema\"; add \"schema\": \"offcut.closeables/1\"",
        "{\"schema\": \"other\", \"rules\": []} | the schema other is not known; offcut.closeables/1 is",
        "{\"schema\": \"offcut.closeables/1\", \"rules\": [], \"x\": 1} | \"x\" is no member of a file of rules",
      })
  void read_fileThatIsNone_isSaid(String text, String sentence) {
    assertThat(Rules.read("my.json", text, problems::add).all()).isEmpty();
    assertThat(problems).singleElement().asString().startsWith("my.json:1: ").contains(sentence);
  }

  @Test
  void read_fileThatIsNotThere_isSaid(@TempDir Path folder) throws IOException {
    Path none = folder.resolve("none.json");
    assertThat(Rules.read(none, problems::add).all()).isEmpty();
    assertThat(problems)
        .containsExactly(none + ": there is no such file; none of its rules is used");
    problems.clear();
    Path latin = Files.write(none, "\u00e4".getBytes(StandardCharsets.ISO_8859_1));
    assertThat(Rules.read(latin, problems::add).all()).isEmpty();
    assertThat(problems)
        .containsExactly(none + ": it is no text in UTF-8; none of its rules is used");
  }

  private Rules ofJar(String json, String... files) {
    return Rules.ofJar(
        "a.jar!/" + Rules.IN_JARS,
        json.getBytes(StandardCharsets.UTF_8),
        List.of(files)::contains,
        problems::add);
  }

  @Test
  void ofJar_classesOfTheJar_haveTheirRules() {
    Rules rules =
        ofJar(
            file(rule("a.B", ", \"wrappers\": [\"a.V\", \"b.V\"]"), rule("a.New", "")),
            "a/B.class",
            "a/V.class",
            "META-INF/versions/17/a/New.class");
    assertThat(rules.all()).extracting(Rule::root).containsExactly("a.B", "a.New");
    assertThat(rules.all().get(0).wrappers()).containsExactly("a.V");
    assertThat(rules.all()).noneMatch(Rule::isOfUser).noneMatch(Rule::isBuiltIn);
    assertThat(problems)
        .containsExactly(
            "a.jar!/META-INF/offcut/closeables.json:2: the jar has no class b.V for \"wrappers\";"
                + " this name is ignored");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"class\": \"a.C\", \"closes\": [\"close\"]} | the jar has no class a.C, and a jar's rules are",
        "{\"class\": \"javax.B\", \"closes\": [\"close\"]} | javax.B has a name of the JDK's",
        "{\"class\": \"a.B\", \"off\": true} | a jar's rules can only count, so \"off\" has no effect",
      })
  void ofJar_ruleThatIsNotForTheJar_isLeftOut(String bad, String sentence) {
    Rules rules = ofJar(file(bad), "a/B.class", "javax/B.class");
    assertThat(rules.all()).isEmpty();
    assertThat(rules.off()).isEmpty();
    assertThat(problems)
        .singleElement()
        .asString()
        .startsWith("a.jar!/META-INF/offcut/closeables.json:2: " + sentence)
        .endsWith("; the rule is left out");
  }

  @Test
  void ofJar_moreThanAProgramShallPayFor_isNotRead() {
    String[] many = new String[101];
    String[] files = new String[101];
    for (int i = 0; i < many.length; i++) {
      many[i] = rule("a.C" + i, "");
      files[i] = "a/C" + i + ".class";
    }
    assertThat(ofJar(file(many), files).all()).hasSize(100);
    assertThat(problems)
        .containsExactly(
            "a.jar!/META-INF/offcut/closeables.json:102: a jar's file may have 100 rules, and has"
                + " more; the rule is left out");
    problems.clear();
    assertThat(ofJar(file(many) + " ".repeat(1 << 18), files).all()).isEmpty();
    assertThat(problems)
        .containsExactly(
            "a.jar!/META-INF/offcut/closeables.json: it is longer than 256 KiB; none of its rules"
                + " is used");
  }

  @Test
  void read_jar_hasTheRulesThatItBrings(@TempDir Path folder) throws IOException {
    Path jar = folder.resolve("a.jar");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
      zip.putNextEntry(new ZipEntry("a/B.class"));
      zip.putNextEntry(new ZipEntry(Rules.IN_JARS));
      zip.write(file(rule("a.B", "")).getBytes(StandardCharsets.UTF_8));
    }
    assertThat(Rules.read(jar, problems::add).all())
        .singleElement()
        .extracting(Rule::from)
        .isEqualTo(jar + "!/META-INF/offcut/closeables.json:2");
    assertThat(problems).isEmpty();
    Path none = folder.resolve("none.jar");
    Rules.read(none, problems::add);
    assertThat(problems)
        .containsExactly(none + ": there is no such file; none of its rules is used");
    problems.clear();
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(none))) {
      zip.putNextEntry(new ZipEntry("a/B.class"));
    }
    Rules.read(none, problems::add);
    assertThat(problems)
        .containsExactly(
            none + ": it has no META-INF/offcut/closeables.json, so it brings no rules");
  }

  @Test
  void isSame_placesDiffer() {
    Rule one = read(rule("a.B", "")).get(0);
    Rule other = Rules.read("other.json", file(rule("a.B", "")), problems::add).all().get(0);
    assertThat(one).isNotEqualTo(other);
    assertThat(one.isSame(other)).isTrue();
    assertThat(one.isSame(read(rule("a.B", ", \"called\": \"b\"")).get(0))).isFalse();
  }

  @Test
  void before_firstWins_andCanSwitchOff() {
    Rules user =
        Rules.read(
            "my.json",
            file(rule("a.B", ", \"library\": \"mine\""), "{\"class\": \"a.C\", \"off\": true}"),
            problems::add);
    Rules other =
        Rules.read(
            "other.json", file(rule("a.B", ""), rule("a.C", ""), rule("a.D", "")), problems::add);
    assertThat(problems).isEmpty();
    assertThat(user.before(other).all()).extracting(Rule::library).containsExactly("mine", "a.D");
    assertThat(user.before(other).off()).containsExactly("a.C");
  }

  @Test
  void words_areThoseOfTheClass_orWhatOneIsCalled() {
    Rule plain = read(rule("a.B", "")).get(0);
    assertThat(plain.words("org.acme.Special", 2)).isEqualTo("Special");
    Rule called = read(rule("a.B", ", \"called\": \"thing\"")).get(0);
    assertThat(called.words("org.acme.Special", 1)).isEqualTo("thing");
    assertThat(called.words("org.acme.Special", 2)).isEqualTo("things");
  }
}
