package dev.offcut.command.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.read.Digest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndFindingsTest {
  private static final int SIGKILL = 137;

  private static Digest.Memory memory(@Nullable Long limit, boolean accounted) {
    List<Digest.Part> parts =
        List.of(
            new Digest.Part("thread stacks", 1 << 20),
            new Digest.Part("malloc, in use", 300 << 20),
            new Digest.Part("native libraries", 19 << 20),
            new Digest.Part("Java heap, used", 80 << 20));
    return new Digest.Memory(400 << 20, 400 << 20, limit, accounted, parts, List.of(), List.of());
  }

  private static Finding end(int code, boolean wasFull, Digest.Memory memory) {
    List<Finding> all = EndFindings.withEnd(List.of(), code, wasFull, memory, false);
    assertThat(all).hasSize(1);
    return all.getFirst();
  }

  @Test
  void withEnd_killedInAFullContainer_saysWhoHadMemory() {
    Finding end = end(SIGKILL, true, memory(512L << 20, true));
    assertThat(end.title()).isEqualTo("The program ended with exit code 137 (SIGKILL)");
    assertThat(end.text())
        .startsWith(
            "While it ran, its container reached its memory limit of 512.0 MiB, and the system killed"
                + " a process in it: most likely this one. ")
        .contains("count as open")
        .endsWith(
            " In the last account of its memory, 400.0 MiB were resident: 300.0 MiB malloc, in use;"
                + " 80.0 MiB Java heap, used; 19.0 MiB native libraries.");
  }

  @Test
  void withEnd_killedOtherwise_claimsNoReason() {
    assertThat(end(SIGKILL, false, memory(512L << 20, true)).text())
        .startsWith("A user killed it, or the system killed it")
        .doesNotContain("its memory limit");
    assertThat(end(SIGKILL, true, memory(null, false)).text())
        .contains("its memory limit, and the system killed a process in it: most likely this one. ")
        .doesNotContain("were resident");
  }

  @ParameterizedTest
  @ValueSource(ints = {134, 135, 139})
  void withEnd_crashed(int code) {
    assertThat(end(code, false, memory(null, true)).text()).contains("hs_err_pid", "were resident");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 143})
  void withEnd_ofItself(int code) {
    Finding end = end(code, true, memory(null, true));
    assertThat(end.title()).isEqualTo("The program ended with exit code " + code);
    assertThat(end.text()).isEqualTo("This report covers what it did until then.");
  }

  @Test
  void withEnd_well_isNoFinding() {
    assertThat(EndFindings.withEnd(List.of(), 0, false, memory(null, true), false)).isEmpty();
  }
}
