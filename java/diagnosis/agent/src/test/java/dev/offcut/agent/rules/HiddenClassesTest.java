package dev.offcut.agent.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.agent.publish.TableReader;
import dev.offcut.test.AgentJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Classes that no class loader knows, which code makes while a program runs. */
class HiddenClassesTest {
  /** More than do not count. */
  private static final int LINKED = 800;

  /** It links lambdas, each once; makes 700 classes for one method; and drops the last 100. */
  private static final String SOURCE =
      """
      package app;
      import java.lang.invoke.*;
      import java.util.*;
      import java.util.function.IntSupplier;
      public class Main {
        static final List<Object> kept = new ArrayList<>();
        static int seven() { return 7; }
        static void keep(IntSupplier one) { kept.add(one); }
        static void link() {
      LAMBDAS
        }
        static Object make(MethodHandles.Lookup lookup, MethodHandle seven) throws Throwable {
          return LambdaMetafactory.metafactory(
                  lookup, "getAsInt", MethodType.methodType(IntSupplier.class),
                  seven.type(), seven, seven.type())
              .getTarget().invoke();
        }
        static Class<?> define(MethodHandles.Lookup lookup, byte[] file) throws Throwable {
          return lookup.defineHiddenClass(file, true).lookupClass();
        }
        public static void main(String[] none) throws Throwable {
          link();
          MethodHandles.Lookup lookup = MethodHandles.lookup();
          MethodHandle seven =
              lookup.findStatic(Main.class, "seven", MethodType.methodType(int.class));
          for (int i = 0; i < 600; i++) {
            kept.add(make(lookup, seven));
          }
          byte[] file;
          try (java.io.InputStream in = Main.class.getResourceAsStream("Main.class")) {
            file = in.readAllBytes();
          }
          for (int i = 0; i < 100; i++) {
            define(lookup, file);
          }
        }
      }
      """;

  @TempDir private Path folder = Path.of("");

  @ParameterizedTest
  @MethodSource("dev.offcut.test.AgentJvm#versions")
  void hidden_thatCodeMakes_areCounted_andLinkedLambdasAreNot(int version) throws Exception {
    String lambdas =
        IntStream.range(0, LINKED)
            .mapToObj(i -> "    keep(() -> " + i + ");")
            .collect(Collectors.joining("\n"));
    Path source =
        Files.writeString(folder.resolve("Main.java"), SOURCE.replace("LAMBDAS", lambdas));
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(
                    null,
                    null,
                    null,
                    "-d",
                    folder.toString(),
                    "--release",
                    "17",
                    source.toString()))
        .isZero();
    AgentJvm.of(version, AgentJvm.agent("level=sample,gcatexit=on,quiet=on,tables=" + folder))
        .classPath(folder)
        .and("app.Main")
        .run();
    Map<String, List<Long>> counts =
        TableReader.in(folder).countsOfClasses(Pattern.compile("java\\.lang\\.Class"));
    assertThat(counts).containsEntry("java.lang.Class", List.of(700L, 0L, 100L, 0L, 600L));
  }
}
