package dev.offcut.agent.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.agent.Jars;
import dev.offcut.agent.publish.TableReader;
import dev.offcut.rules.Rules;
import dev.offcut.test.AgentJvm;
import dev.offcut.test.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rules that jars bring, of a library and a program that are made for this. */
class JarRulesTest {
  private static final String STORE = "com.acme.Store";

  /** A class of the program below it. */
  private static final String SPECIAL = "com.app.Special";

  /** There is a built-in rule for a class of this name. */
  private static final String ENV = "org.lmdbjava.Env";

  private static final String RULES =
      """
      {"schema": "offcut.closeables/1", "rules": [
        {"library": "Acme", "class": "com.acme.Store", "closes": ["finish"]},
        {"library": "Acme", "class": "org.lmdbjava.Env", "closes": ["finish"]}]}
      """;

  /** Whether it closes by {@code finish}, which the rules of the jar name, or by {@code close}. */
  private static final Map<String, String> SOURCES =
      Map.of(
          "acme/com/acme/Store.java",
          """
          package com.acme;
          public class Store implements AutoCloseable {
            @Override public void close() {}
            public void finish() {}
          }
          """,
          "acme/org/lmdbjava/Env.java",
          """
          package org.lmdbjava;
          public class Env implements AutoCloseable {
            @Override public void close() {}
            public void finish() {}
          }
          """,
          "app/com/app/Special.java",
          """
          package com.app;
          public class Special extends com.acme.Store {}
          """,
          "app/com/app/Main.java",
          """
          package com.app;
          public class Main {
            public static void main(String[] paths) throws Exception {
              if (paths.length == 0) {
                open();
              }
              for (String path : paths) {
                java.util.List<java.net.URL> jars = new java.util.ArrayList<>();
                for (String jar : path.split(java.io.File.pathSeparator)) {
                  jars.add(new java.io.File(jar).toURI().toURL());
                }
                ClassLoader own = new java.net.URLClassLoader(
                    jars.toArray(new java.net.URL[0]), ClassLoader.getPlatformClassLoader());
                own.loadClass("com.app.Main").getMethod("open").invoke(null);
              }
            }
            /** The first class of the library that is needed is one above a class of the program. */
            public static void open() {
              for (int i = 0; i < 60; i++) {
                Special special = new Special();
                if (i % 3 == 0) {
                  special.finish();
                }
              }
              for (int i = 0; i < 90; i++) {
                com.acme.Store store = new com.acme.Store();
                if (i % 3 == 0) {
                  store.finish();
                } else {
                  store.close();
                }
              }
              for (int i = 0; i < 40; i++) {
                org.lmdbjava.Env env = new org.lmdbjava.Env();
                if (i % 4 == 0) {
                  env.finish();
                } else {
                  env.close();
                }
              }
            }
          }
          """);

  /** What the program does, by the rules of the jar. */
  private static final Map<String, List<Long>> TRUTH =
      Map.of(
          SPECIAL, List.of(60L, 20L, 0L, 40L, 0L),
          STORE, List.of(90L, 30L, 0L, 60L, 0L),
          ENV, List.of(40L, 10L, 0L, 30L, 0L));

  @TempDir private static Path compiled = Path.of("");

  @TempDir private Path folder = Path.of("");

  @BeforeAll
  static void compile() throws IOException {
    List<String> words = new ArrayList<>(List.of("-d", compiled.toString(), "--release", "17"));
    for (Map.Entry<String, String> source : SOURCES.entrySet()) {
      Path file = compiled.resolve("src").resolve(source.getKey());
      Files.createDirectories(Objects.requireNonNull(file.getParent()));
      words.add(Files.writeString(file, source.getValue()).toString());
    }
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, words.toArray(new String[0])))
        .isZero();
  }

  /** A jar with the library, and with rules unless they are empty. */
  private Path library(String name, String rules) throws IOException {
    Map<String, byte[]> files = new TreeMap<>(classes(STORE, ENV));
    if (!rules.isEmpty()) {
      files.put(Rules.IN_JARS, rules.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
    return Jars.pack(folder.resolve(name), files);
  }

  private Path program() throws IOException {
    return Jars.pack(folder.resolve("app.jar"), classes(SPECIAL, "com.app.Main"));
  }

  private static Map<String, byte[]> classes(String... names) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    for (String name : names) {
      String path = name.replace('.', '/') + ".class";
      files.put(path, Files.readAllBytes(compiled.resolve(path)));
    }
    return files;
  }

  private ChildJvm jvm(int version, String options) throws IOException {
    String tables = Files.createDirectory(folder.resolve("tables")).toString();
    return AgentJvm.of(
        version,
        AgentJvm.agent("level=sample,gcatexit=on,quiet=on,tables=" + tables + "," + options));
  }

  private TableReader tables() throws IOException {
    return TableReader.in(folder.resolve("tables"));
  }

  /** By class of the library or the program: opened, closed, collected, lost, open. */
  private Map<String, List<Long>> counts() throws IOException {
    return tables().countsOfClasses(Pattern.compile("com\\.acme|com\\.app|org\\.lmdbjava"));
  }

  private Map<String, Object> row(String type) throws IOException {
    return tables().rows("offcut.WatchedClass").stream()
        .filter(row -> type.equals(row.get("class")))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("dev.offcut.test.AgentJvm#versions")
  void look_jarOnTheClassPath_isCountedByItsRules(int version) throws Exception {
    Path jar = library("acme.jar", RULES);
    ChildJvm.Output output =
        jvm(version, "rules=on").classPath(program(), jar).and("com.app.Main").run();
    assertThat(output.said()).isEmpty();
    assertThat(counts()).isEqualTo(TRUTH);
    assertThat(row(STORE))
        .containsEntry("state", "counted")
        .containsEntry("rule", "Acme")
        .containsEntry("detail", "1 constructor; closed by finish()")
        .containsEntry("from", jar + "!/" + Rules.IN_JARS + ":2");
  }

  @ParameterizedTest
  @MethodSource("dev.offcut.test.AgentJvm#versions")
  void look_jarOfAnotherLoader_isCountedByItsRules(int version) throws Exception {
    String path = program() + File.pathSeparator + library("acme.jar", RULES);
    jvm(version, "rules=on").classPath(program()).and("com.app.Main", path).run();
    assertThat(counts()).isEqualTo(TRUTH);
  }

  /** The class of the first one has the built-in rule, or none. */
  @ParameterizedTest
  @MethodSource("dev.offcut.test.AgentJvm#versions")
  void look_jarAfterClassesOfTheSameNames_isCounted_andTheOthersAreNamed(int version)
      throws Exception {
    String without = program() + File.pathSeparator + library("plain.jar", "");
    String with = program() + File.pathSeparator + library("acme.jar", RULES);
    jvm(version, "rules=on").classPath(program()).and("com.app.Main", without, with).run();
    Map<String, List<Long>> both = new TreeMap<>(TRUTH);
    both.put(ENV, List.of(80L, 40L, 0L, 40L, 0L)); // those of the first by its close
    both.remove(SPECIAL); // what is above it was known, and had no rule
    assertThat(counts()).isEqualTo(both);
    for (String type : List.of(STORE, SPECIAL)) {
      assertThat(row(type).get("detail"))
          .asString()
          .contains(
              "; loaded before the jar that brings its rule: objects opened before that do not"
                  + " count");
    }
  }

  @Test
  void look_folderOfClasses_isCountedByItsRules() throws Exception {
    Path classes = folder.resolve("classes");
    for (Map.Entry<String, byte[]> file : classes(STORE, ENV).entrySet()) {
      Path to = classes.resolve(file.getKey());
      Files.createDirectories(Objects.requireNonNull(to.getParent()));
      Files.write(to, file.getValue());
    }
    Path rules = classes.resolve(Rules.IN_JARS);
    Files.createDirectories(Objects.requireNonNull(rules.getParent()));
    Files.writeString(rules, RULES);
    jvm(Runtime.version().feature(), "rules=on")
        .classPath(program(), classes)
        .and("com.app.Main")
        .run();
    assertThat(counts()).isEqualTo(TRUTH);
    assertThat(row(STORE)).containsEntry("from", rules + ":2");
  }

  /** As Spring Boot packs a program: its libraries are jars within its jar. */
  @ParameterizedTest
  @MethodSource("dev.offcut.test.AgentJvm#versions")
  void look_jarWithinAJar_isCountedByItsRules(int version) throws Exception {
    Map<String, byte[]> files = Jars.springBoot();
    files.put(
        "META-INF/MANIFEST.MF",
        """
        Manifest-Version: 1.0
        Main-Class: org.springframework.boot.loader.launch.JarLauncher
        Start-Class: com.app.Main
        """
            .getBytes(java.nio.charset.StandardCharsets.UTF_8));
    files.put("BOOT-INF/lib/acme.jar", Files.readAllBytes(library("acme.jar", RULES)));
    files.put("BOOT-INF/lib/app.jar", Files.readAllBytes(program()));
    Path jar = Jars.pack(folder.resolve("boot.jar"), files);
    jvm(version, "rules=on").and("-jar", jar).run();
    assertThat(counts()).isEqualTo(TRUTH);
    assertThat(row(STORE))
        .extracting("from")
        .asString()
        .contains("boot.jar", "BOOT-INF/lib/acme.jar!/" + Rules.IN_JARS + ":2");
  }

  @Test
  void look_userHasRules_theyGoBeforeThoseOfAJar() throws Exception {
    Path mine =
        Files.writeString(
            folder.resolve("mine.json"),
            """
            {"schema": "offcut.closeables/1", "rules": [
              {"class": "com.acme.Store", "closes": ["close"]},
              {"class": "org.lmdbjava.Env", "off": true}]}
            """);
    jvm(Runtime.version().feature(), "rules=" + mine)
        .classPath(program(), library("acme.jar", RULES))
        .and("com.app.Main")
        .run();
    assertThat(counts())
        .isEqualTo(
            Map.of(
                SPECIAL, List.of(60L, 0L, 0L, 60L, 0L),
                STORE, List.of(90L, 60L, 0L, 30L, 0L)));
    assertThat(row(STORE)).containsEntry("from", mine + ":2");
  }

  @Test
  void look_rulesAreOff_jarsAreLeftAlone() throws Exception {
    ChildJvm.Output output =
        jvm(Runtime.version().feature(), "rules=off,watch=com.acme.Store")
            .classPath(program(), library("acme.jar", "{"))
            .and("com.app.Main")
            .run();
    assertThat(output.said()).isEmpty();
    assertThat(counts()).containsEntry(STORE, List.of(90L, 60L, 0L, 30L, 0L));
  }

  @Test
  void look_fileOfAJarHasProblems_theyAreSaidByJarAndLine() throws Exception {
    Path jar =
        library(
            "acme.jar",
            """
            {"schema": "offcut.closeables/1", "rules": [
              {"class": "com.acme.Store", "closes": ["finish"], "wrappers": ["com.app.Special"]},
              {"class": "com.app.Main", "closes": ["open"]},
              {"class": "java.util.ArrayList", "closes": ["clear"]},
              {"class": "org.lmdbjava.Env", "off": true}]}
            """);
    ChildJvm.Output output =
        jvm(Runtime.version().feature(), "rules=on")
            .classPath(program(), jar)
            .and("com.app.Main")
            .run();
    String source = "offcut: " + jar + "!/" + Rules.IN_JARS;
    assertThat(output.said())
        .containsExactlyInAnyOrder(
            source
                + ":2: the jar has no class com.app.Special for \"wrappers\"; this name is ignored",
            source
                + ":3: the jar has no class com.app.Main, and a jar's rules are for its own"
                + " classes; the rule is left out",
            source
                + ":4: java.util.ArrayList has a name of the JDK's, and a jar's rules are for its"
                + " own classes; the rule is left out",
            source
                + ":5: a jar's rules can only count, so \"off\" has no effect; write it into a"
                + " file of your own; the rule is left out");
    assertThat(counts())
        .containsEntry(STORE, List.of(90L, 30L, 0L, 60L, 0L))
        .containsEntry(SPECIAL, List.of(60L, 20L, 0L, 40L, 0L))
        .containsEntry(ENV, List.of(40L, 30L, 0L, 10L, 0L)); // by the rule that is built in
  }
}
