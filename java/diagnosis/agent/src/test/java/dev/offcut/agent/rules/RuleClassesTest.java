package dev.offcut.agent.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.agent.Agent;
import dev.offcut.rules.Rule;
import dev.offcut.rules.Rules;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The JVM tells no agent of a class that it loads while an agent rewrites another one. If the agent
 * itself had a class of a rule loaded then, objects of it would never count.
 */
class RuleClassesTest {
  /** Each JVM has loaded these when the agent comes, and they are rewritten once more. */
  private static final Set<String> LOADED_FIRST =
      Set.of(
          "java.lang.Class",
          "java.lang.ClassLoader",
          "java.lang.Thread",
          "java.io.FileInputStream",
          "java.io.FileOutputStream",
          "java.io.RandomAccessFile",
          "java.util.zip.Inflater",
          "java.util.zip.ZipFile");

  @Test
  void agent_refersToNoClassThatARuleOfTheJdkNames() throws IOException, URISyntaxException {
    Pattern names =
        Pattern.compile(
            Rules.builtIn().all().stream()
                .filter(rule -> rule.library().equals("the JDK"))
                .map(Rule::root)
                .filter(root -> !LOADED_FIRST.contains(root))
                .map(root -> Pattern.quote(root.replace('.', '/')))
                .collect(Collectors.joining("|", "(", ")(?![\\w$/])")));
    Path classes = Path.of(Agent.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (Stream<Path> all = Files.walk(classes.resolve("dev/offcut/agent"))) {
      List<Path> files = all.filter(file -> file.toString().endsWith(".class")).toList();
      assertThat(files).hasSizeGreaterThan(100);
      for (Path file : files) {
        String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        assertThat(names.matcher(text).results().map(found -> found.group()).toList())
            .as(file.toString())
            .isEmpty();
      }
    }
  }
}
