package dev.offcut.agent.hooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.agent.publish.TableReader;
import dev.offcut.test.AgentJvm;
import dev.offcut.test.ChildJvm;
import dev.offcut.test.ChildJvm.Output;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What Netty's allocators keep and have in use, against what Netty and its program say. */
class NettyPoolsTest {
  private static final String PACKAGE = "io.netty.buffer.";
  private static final Map<String, String> ALLOCATORS =
      Map.of(
          "pooled", PACKAGE + "PooledByteBufAllocator",
          "adaptive", PACKAGE + "AdaptiveByteBufAllocator");

  /** Changes what buffers the programs take. */
  private static final long SEED = Long.getLong("offcut.seed", System.nanoTime());

  @TempDir private Path folder = Path.of("");

  static Stream<Arguments> all() throws Exception {
    List<Arguments> all = new ArrayList<>();
    for (int version : AgentJvm.versions()) {
      for (String netty : List.of("4.1", "4.2")) {
        for (String allocator : List.of("pooled", "adaptive")) {
          all.add(Arguments.of(version, netty, allocator));
        }
      }
    }
    return all.stream();
  }

  private ChildJvm jvm(int version, String... options) throws Exception {
    return AgentJvm.of(version, options)
        .and(AgentJvm.agent("level=count,quiet=on,tables=" + folder));
  }

  private static Output run(ChildJvm jvm, String netty, String allocator) throws Exception {
    return jvm.classPath(
            AgentJvm.classes(),
            AgentJvm.library("netty-buffer-" + netty + ".jar"),
            AgentJvm.library("netty-common-" + netty + ".jar"))
        .and(NettyProgram.class.getName(), allocator, SEED, 4)
        .run();
  }

  private List<Map<String, Object>> rows() throws Exception {
    return TableReader.in(folder).rows("offcut.BufferPool");
  }

  @ParameterizedTest
  @MethodSource("all")
  void figures_areThoseOfNettyAndItsProgram(int version, String netty, String allocator)
      throws Exception {
    Output output = run(jvm(version), netty, allocator);
    assertThat(output.said()).as("seed %s", SEED).isEmpty();
    List<Map<String, Object>> rows = rows();
    assertThat(rows).as("seed %s", SEED).hasSize(1);
    assertThat(rows.get(0))
        .as("seed %s", SEED)
        .containsEntry("pool", ALLOCATORS.get(allocator))
        .containsEntry("allocators", 1L)
        .containsEntry("kept", Long.parseLong(output.value("kept")))
        .containsEntry("used", Long.parseLong(output.value("used")));
    long chunks = (Long) Objects.requireNonNull(rows.get(0).get("chunks"));
    if (allocator.equals("pooled")) {
      assertThat(chunks).isPositive();
    } else {
      assertThat(chunks).isEqualTo(-1);
    }
  }

  @Test
  void figures_ofANettyThatDoesNotCountWhatIsUsed_areThoseOfItsChunks() throws Exception {
    Output output =
        run(
            jvm(Runtime.version().feature(), "-Dio.netty.trackPinnedMemory=false"),
            "4.2",
            "pooled");
    assertThat(rows().get(0))
        .containsEntry("kept", Long.parseLong(output.value("kept")))
        .containsEntry("used", -1L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pooled", "adaptive"})
  void figures_ofANettyWithBuffersOfAnotherShape_claimNoUse(String allocator) throws Exception {
    Output output = run(jvm(Runtime.version().feature()), "4.1.118", allocator);
    assertThat(output.said()).isEmpty();
    Map<String, Object> row = rows().get(0);
    assertThat(row).containsEntry("kept", Long.parseLong(output.value("kept")));
    assertThat(row)
        .containsEntry(
            "used", allocator.equals("pooled") ? Long.parseLong(output.value("used")) : -1L);
  }

  @Test
  void figures_ofModules_areThere() throws Exception {
    ChildJvm jvm =
        jvm(Runtime.version().feature())
            .and(
                "--module-path",
                AgentJvm.library("netty-buffer-4.2.jar")
                    + ":"
                    + AgentJvm.library("netty-common-4.2.jar"),
                "--add-modules",
                "io.netty.buffer");
    Output output =
        jvm.classPath(AgentJvm.classes())
            .and(NettyProgram.class.getName(), "pooled", SEED, 1)
            .run();
    assertThat(rows().get(0)).containsEntry("used", Long.parseLong(output.value("used")));
  }
}
