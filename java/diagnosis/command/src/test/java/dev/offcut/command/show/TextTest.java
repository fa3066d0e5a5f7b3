package dev.offcut.command.show;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.read.CallSite;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TextTest {
  private static final String OWN = "com.acme.Orders.load(Orders.java:88)";
  private static final String MAIN = "com.acme.Main.main(Main.java:1)";

  private static String stack(List<String> frames) {
    return new Text(false).stack(new CallSite(frames)).toString();
  }

  @Test
  void stack_ofTheProgramAlone_isItsFrames() {
    assertThat(stack(List.of(OWN, MAIN))).isEqualTo("    at " + OWN + "\n       " + MAIN + "\n");
    assertThat(stack(List.of())).isEmpty();
  }

  @Test
  void stack_inALibrary_beginsWithTheProgram() {
    String call = "io.netty.buffer.Pool.buffer(Pool.java:3)";
    assertThat(stack(List.of(call, OWN, MAIN)))
        .isEqualTo("    at " + OWN + "\n         calls " + call + "\n       " + MAIN + "\n");
    assertThat(stack(List.of("java.nio.Bits.reserve(Bits.java:9)", call, OWN)))
        .isEqualTo(
            "    at " + OWN + "\n         calls " + call + ", and 1 deeper frame of Netty\n");
  }

  /** However far in the program's frame lies, it is there. */
  @Test
  void stack_deepInALibrary_isNotCutBeforeTheProgram() {
    List<String> deep =
        Stream.concat(
                Stream.generate(() -> "org.h2.Engine.step(Engine.java:5)").limit(19),
                Stream.of(OWN))
            .toList();
    assertThat(stack(deep)).startsWith("    at " + OWN).contains("18 deeper frames of H2");
  }
}
