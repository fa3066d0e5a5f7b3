package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.ChildJvm;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Where the Java heap is full what was taken is not lost. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class FullHeapTest {
  @Test
  void operations_inAFullHeap_loseNothing() throws Exception {
    String seed = String.valueOf(System.nanoTime());
    ChildJvm.Output ended =
        ChildJvm.with(
                "--enable-native-access=ALL-UNNAMED", "-Xmx6m", "-XX:-UseTLAB", "-XX:+UseSerialGC")
            .program(FullHeapProgram.class, seed, 1)
            .runToAnyEnd();
    assertThat(ended.exitCode()).as("seed %s: %s", seed, ended.text()).isZero();
    assertThat(ended.text()).as("seed %s", seed).contains("lost 0");
  }

  /** What a pool uses first is linked when the first pool is made: see {@link Warmup}. */
  @ParameterizedTest
  @MethodSource("kindsOfUse")
  void firstUse_inAFullHeap_breaksNothingForLater(int kind) throws Exception {
    ChildJvm.Output ended =
        ChildJvm.with(
                "--enable-native-access=ALL-UNNAMED", "-Xmx6m", "-XX:-UseTLAB", "-XX:+UseSerialGC")
            .program(FirstUseProgram.class, kind)
            .runToAnyEnd();
    assertThat(ended.exitCode()).as(ended.text()).isZero();
  }

  static IntStream kindsOfUse() {
    return IntStream.range(0, FirstUseProgram.KINDS);
  }

  /** A lambda that is linked where the Java heap is full fails for ever. */
  @Test
  void classes_haveNoLambdas() throws Exception {
    Path classes =
        Path.of(MemoryPool.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<String> found = new ArrayList<>();
    int looked = 0;
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(classes.resolve("dev/offcut/memory"), "*.class")) {
      for (Path file : files) {
        looked++;
        for (MethodModel method : ClassFile.of().parse(file).methods()) {
          if (method.code().isPresent() && hasLambda(method)) {
            found.add(file.getFileName() + " " + method.methodName());
          }
        }
      }
    }
    assertThat(looked).isGreaterThan(50);
    assertThat(found).isEmpty();
  }

  /** A record's own methods are linked so; nobody calls those of records that are not public. */
  private static boolean hasLambda(MethodModel method) {
    for (CodeElement element : method.code().orElseThrow()) {
      if (element instanceof InvokeDynamicInstruction call
          && !call.bootstrapMethod().owner().displayName().endsWith("ObjectMethods")) {
        return true;
      }
    }
    return false;
  }
}
