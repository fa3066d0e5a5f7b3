package dev.offcut.agent.hooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.AgentJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs with deep stacks, and with a heap that is full. */
class HardCasesTest {
  @Test
  void sites_belowManyFramesOfTheJdk_areThoseOfTheProgram(@TempDir Path folder) throws Exception {
    Recorded recorded = Recorded.run(folder, AgentJvm.with(), DeepProgram.class, "level=full");
    List<String> opened = new ArrayList<>();
    for (RecordedEvent site : recorded.all("ResourceSite")) {
      String top = site.getString("site").lines().findFirst().orElseThrow();
      if (top.startsWith(DeepProgram.class.getName())) {
        opened.add(top.replaceAll("\\(.*", "") + " " + site.getLong("opened"));
      }
    }
    String program = DeepProgram.class.getName();
    assertThat(opened).contains(program + ".first 30", program + ".second 70");
  }

  /** What the agent cannot note counts as open; the program is not told. */
  @Test
  void fullHeap_atFull_isTheProgramsAlone(@TempDir Path folder) throws Exception {
    Recorded recorded =
        Recorded.run(
            folder,
            AgentJvm.with("-Xmx24m", "-XX:+UseSerialGC", "-XX:MaxDirectMemorySize=1g"),
            FullHeapProgram.class,
            "level=full");
    assertThat(recorded.output.out()).contains("astray 0");
  }
}
