package dev.offcut.agent.hooks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.agent.Jars;
import dev.offcut.agent.publish.TableReader;
import dev.offcut.test.AgentJvm;
import dev.offcut.test.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Which line the agent names, in the ways in which programs are packed: one program, which opens
 * images of a library, once through another library and many frames of both.
 */
class LineTest {
  /** By path: the first folder is the jar. */
  private static final Map<String, String> SOURCES =
      Map.of(
          "images/images/Image.java",
          """
          package images;
          public class Image implements AutoCloseable {
            private final Object memory = java.nio.ByteBuffer.allocateDirect(64);
            @Override public void close() {}
          }
          """,
          "images/images/Images.java",
          """
          package images;
          public class Images {
            public static final java.util.List<Object> HELD = new java.util.ArrayList<>();
            public static void open(int frames) {
              if (frames > 1) {
                open(frames - 1);
              } else {
                HELD.add(new Image());
              }
            }
          }
          """,
          "http/http/Client.java",
          """
          package http;
          public class Client {
            public static void get(int frames) {
              if (frames > 1) {
                get(frames - 1);
              } else {
                images.Images.open(70);
              }
            }
            public static void later() throws Exception {
              Thread thread = new Thread(() -> images.Images.open(3));
              thread.start();
              thread.join();
            }
          }
          """,
          "app/com/acme/media/Photos.java",
          """
          package com.acme.media;
          public class Photos {
            public static void load() {
              java.util.List.of(1).forEach(each -> http.Client.get(30));
            }
          }
          """,
          "app/net/other/Icon.java",
          """
          package net.other;
          public class Icon extends images.Image {}
          """,
          "app/net/other/Album.java",
          """
          package net.other;
          public class Album {
            public static void show() {
              images.Images.HELD.add(new Icon());
            }
          }
          """,
          "app/com/acme/shop/Later.java",
          """
          package com.acme.shop;
          public class Later {
            public static void main(String[] arguments) throws Exception {
              http.Client.later();
            }
          }
          """,
          "app/com/acme/shop/Main.java",
          """
          package com.acme.shop;
          public class Main {
            public static void main(String[] arguments) throws Exception {
              Thread worker = new Thread(com.acme.media.Photos::load);
              worker.start();
              worker.join();
              net.other.Album.show();
            }
          }
          """);

  private static final Map<String, String> MODULES =
      Map.of(
          "images/module-info.java",
          "module images { exports images; }",
          "http/module-info.java",
          "module http { requires images; exports http; }",
          "app/module-info.java",
          "module app { requires images; requires http; exports com.acme.shop; }");

  private static final String PHOTOS = "com.acme.media.Photos.lambda$load$0(Photos.java:4)";
  private static final String ALBUM = "net.other.Album.show(Album.java:4)";

  /** The object that has the buffer is not what is counted. */
  private static final String ICON = "net.other.Icon.<init>(Icon.java:2)";

  @TempDir private Path folder = Path.of("");

  private Map<String, String> sources = new LinkedHashMap<>();

  @BeforeEach
  void takeAll() {
    sources = new LinkedHashMap<>(SOURCES);
  }

  private void compile() throws IOException {
    List<String> words = new ArrayList<>(List.of("--release", "17"));
    boolean modules = sources.containsKey("app/module-info.java");
    if (modules) {
      words.addAll(List.of("--module-source-path", folder + "/src/*/", "-d", out("").toString()));
    }
    for (Map.Entry<String, String> source : sources.entrySet()) {
      Path file = folder.resolve("src").resolve(source.getKey());
      Files.createDirectories(Objects.requireNonNull(file.getParent()));
      words.add(Files.writeString(file, source.getValue()).toString());
    }
    if (!modules) {
      words.addAll(List.of("-d", out("all").toString()));
    }
    tool("javac", words);
    if (!modules) {
      for (String source : sources.keySet()) {
        move(source);
      }
    }
  }

  /** From where all is into the folder of its jar, with nested classes. */
  private void move(String source) throws IOException {
    Path path = Path.of(source);
    String jar = path.getName(0).toString();
    Path in = out("all").resolve(path.subpath(1, path.getNameCount())).getParent();
    String name = String.valueOf(path.getFileName()).replace(".java", "");
    try (Stream<Path> files = Files.list(Objects.requireNonNull(in))) {
      for (Path file : files.toList()) {
        String its = String.valueOf(file.getFileName());
        if (its.equals(name + ".class") || its.startsWith(name + "$")) {
          Path to = out(jar).resolve(out("all").relativize(file));
          Files.createDirectories(Objects.requireNonNull(to.getParent()));
          Files.copy(file, to);
        }
      }
    }
  }

  private Path out(String jar) {
    return folder.resolve("out").resolve(jar);
  }

  private static void tool(String name, List<String> words) {
    int result =
        ToolProvider.findFirst(name)
            .orElseThrow()
            .run(System.out, System.err, words.toArray(new String[0]));
    assertThat(result).as("%s %s", name, words).isZero();
  }

  private static Map<String, byte[]> files(Path from) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(from)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        files.put(from.relativize(file).toString(), Files.readAllBytes(file));
      }
    }
    return files;
  }

  private Path jar(String name) throws IOException {
    return jar(name + ".jar", "", files(out(name)));
  }

  private Path jar(String name, String manifest, Map<String, byte[]> given) throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    files.put("META-INF/MANIFEST.MF", ("Manifest-Version: 1.0\n" + manifest).getBytes(UTF_8));
    files.putAll(given);
    return Jars.pack(folder.resolve(name), files);
  }

  private ChildJvm jvm(int version) throws IOException {
    return AgentJvm.of(version, agent("images.Image"));
  }

  private String agent(String watched) throws IOException {
    String tables = Files.createDirectory(folder.resolve("tables")).toString();
    return AgentJvm.agent("level=full,quiet=on,tables=" + tables + ",watch=" + watched);
  }

  /** The lines at which a kind was opened, and the code sources between. */
  private Map<String, String> lines(String kind) throws IOException {
    Map<String, String> lines = new TreeMap<>();
    for (Map<String, Object> row :
        TableReader.in(folder.resolve("tables")).rows("offcut.ResourceSite")) {
      if (kind.equals(row.get("kind"))) {
        String frames = (String) Objects.requireNonNull(row.get("site"));
        long line = (Long) Objects.requireNonNull(row.get("line"));
        String frame = frames.lines().toList().get((int) line);
        if (!frame.startsWith("org.springframework.boot.loader.")) { // it has a buffer itself
          String through = (String) Objects.requireNonNull(row.get("through"));
          lines.put(frame, through.replace("\n", " "));
        }
      }
    }
    return lines;
  }

  /** What a library opens in a thread of its own: its stack goes on where that was started. */
  @Test
  void line_ofALibrarysThread() throws Exception {
    compile();
    jvm(Runtime.version().feature())
        .classPath(jar("app"), jar("images"), jar("http"))
        .and("com.acme.shop.Later")
        .run();
    String line = "http.Client.lambda$later$0(Client.java:11)";
    assertThat(lines("closeable:images.Image")).isEqualTo(Map.of(line, "images.jar"));
    List<String> sites = new ArrayList<>();
    for (Map<String, Object> row :
        TableReader.in(folder.resolve("tables")).rows("offcut.ResourceSite")) {
      if ("closeable:images.Image".equals(row.get("kind"))) {
        sites.add(String.valueOf(row.get("site")));
      }
    }
    assertThat(sites)
        .singleElement()
        .asString()
        .contains(line)
        .endsWith("\njava.lang.Thread.start(this thread)\ncom.acme.shop.Later.main(Later.java:4)");
  }

  private void check(String images, String http) throws IOException {
    assertThat(lines("closeable:images.Image")).isEqualTo(Map.of(PHOTOS, images + " " + http));
    assertThat(lines("closeable:net.other.Icon")).isEqualTo(Map.of(ALBUM, ""));
    assertThat(lines("buffer.direct")).isEqualTo(Map.of(PHOTOS, images + " " + http, ICON, images));
  }

  private void check() throws IOException {
    check("images.jar", "http.jar");
  }

  @ParameterizedTest
  @MethodSource("dev.offcut.test.AgentJvm#versions")
  void line_ofJarsOnTheClassPath(int version) throws Exception {
    compile();
    jvm(version).classPath(jar("app"), jar("images"), jar("http")).and("com.acme.shop.Main").run();
    check();
  }

  /** As {@code java Photos.java} runs it. */
  @ParameterizedTest
  @MethodSource("dev.offcut.test.AgentJvm#versions")
  void line_ofASourceFile(int version) throws Exception {
    compile();
    Path file =
        Files.writeString(
            folder.resolve("Album.java"),
            """
            class Album {
              public static void main(String[] arguments) {
                images.Images.open(40);
              }
            }
            """);
    jvm(version).classPath(jar("images")).and(file).run();
    assertThat(lines("buffer.direct")).containsEntry("Album.main(Album.java:3)", "images.jar");
  }

  @ParameterizedTest
  @MethodSource("dev.offcut.test.AgentJvm#versions")
  void line_ofAJarWithAClassPath(int version) throws Exception {
    compile();
    jar("images");
    jar("http");
    String manifest = "Main-Class: com.acme.shop.Main\nClass-Path: images.jar http.jar\n";
    jvm(version).and("-jar", jar("my shop.jar", manifest, files(out("app")))).run();
    check();
  }

  /** As Spring Boot packs a program: its libraries are jars within its jar. */
  @ParameterizedTest
  @MethodSource("dev.offcut.test.AgentJvm#versions")
  void line_ofAFatJar(int version) throws Exception {
    compile();
    Map<String, byte[]> files = Jars.springBoot();
    files.put("BOOT-INF/classes/", new byte[0]);
    files(out("app")).forEach((name, file) -> files.put("BOOT-INF/classes/" + name, file));
    files.put("BOOT-INF/lib/images.jar", Files.readAllBytes(jar("images")));
    files.put("BOOT-INF/lib/http.jar", Files.readAllBytes(jar("http")));
    String manifest =
        """
        Main-Class: org.springframework.boot.loader.launch.JarLauncher
        Start-Class: com.acme.shop.Main
        Spring-Boot-Classes: BOOT-INF/classes/
        Spring-Boot-Lib: BOOT-INF/lib/
        """;
    jvm(version).and("-jar", jar("boot.jar", manifest, files)).run();
    check();
  }

  /** The program is known by the package of its main class alone, which is not Album's. */
  @ParameterizedTest
  @MethodSource("dev.offcut.test.AgentJvm#versions")
  void line_ofAnUberJar_isInThePackageOfTheMainClass(int version) throws Exception {
    Map<String, String> relocated = new LinkedHashMap<>();
    sources.forEach(
        (name, text) ->
            relocated.put(
                name.replaceFirst("^(images|http)/", "$1/relocated/"),
                text.replaceAll("\\b(images|http)\\b(?=[.;])", "relocated.$1")));
    sources = relocated;
    compile();
    Map<String, byte[]> files = new TreeMap<>(files(out("all")));
    String manifest = "Main-Class: com.acme.shop.Main\n";
    AgentJvm.of(version, agent("relocated.images.Image"))
        .and("-jar", jar("uber.jar", manifest, files))
        .run();
    String main = "com.acme.shop.Main.main(Main.java:7)";
    assertThat(lines("buffer.direct")).containsOnlyKeys(PHOTOS, main);
    assertThat(lines("closeable:relocated.images.Image")).containsOnlyKeys(PHOTOS);
    assertThat(lines("closeable:net.other.Icon")).containsOnlyKeys(main);
  }

  @Test
  void line_inAnImageOfJlink() throws Exception {
    sources.putAll(MODULES);
    compile();
    Path image = folder.resolve("image");
    String path =
        String.join(
            File.pathSeparator,
            jar("app").toString(),
            jar("images").toString(),
            jar("http").toString());
    String modules = "app,java.instrument,java.logging,java.management,jdk.unsupported";
    tool("jlink", List.of("-p", path, "--add-modules", modules, "--output", image.toString()));
    AgentJvm.of(image, agent("images.Image")).and("-m", "app/com.acme.shop.Main").run();
    check("images", "http");
  }

  /** As Surefire runs tests: a jar that has nothing but a path, and a main class of its own. */
  @ParameterizedTest
  @MethodSource("dev.offcut.test.AgentJvm#versions")
  void line_belowSurefire(int version) throws Exception {
    sources.put(
        "booter/org/apache/maven/surefire/booter/ForkedBooter.java",
        """
        package org.apache.maven.surefire.booter;
        public class ForkedBooter {
          public static void main(String[] arguments) throws Exception {
            Class.forName("com.acme.shop.Main").getMethod("main", String[].class)
                .invoke(null, (Object) new String[0]);
          }
        }
        """);
    compile();
    Path classes = Files.createDirectories(folder.resolve("target"));
    Files.move(out("app"), classes.resolve("test-classes"));
    jar("images");
    jar("http");
    jar("booter");
    String manifest =
        """
        Main-Class: org.apache.maven.surefire.booter.ForkedBooter
        Class-Path: booter.jar target/test-classes/ images.jar http.jar
        """;
    jvm(version).and("-jar", jar("surefirebooter4711.jar", manifest, Map.of())).run();
    check();
  }
}
