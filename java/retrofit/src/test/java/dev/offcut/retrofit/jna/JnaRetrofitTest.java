package dev.offcut.retrofit.jna;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.AgentJvm;
import dev.offcut.test.ChildJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** JNA as it is, in programs that are started with the agent. */
class JnaRetrofitTest {
  private static final String RETROFITTED = "java.util.concurrent.OffcutAddressMap";

  private static ChildJvm.Output run(ChildJvm jvm, String what) throws Exception {
    return run(jvm, "jna.jar", what);
  }

  private static ChildJvm.Output run(ChildJvm jvm, String jna, String what) throws Exception {
    return jvm.classPath(AgentJvm.classes(), AgentJvm.library(jna))
        .and(MemoryProgram.class.getName(), what)
        .run();
  }

  @Test
  void close_retrofitted_emptiesTheMapOnce() throws Exception {
    ChildJvm.Output output = run(AgentJvm.withAgent(""), "close");
    assertThat(output.value("class")).isEqualTo(RETROFITTED);
    assertThat(output.value("open")).isEqualTo("1000");
    assertThat(output.value("closed")).isEqualTo("0");
    assertThat(output.value("valid")).isEqualTo("false");
    assertThat(output.value("opened")).isEqualTo("false");
    assertThat(output.said()).isEmpty();
  }

  private static double number(ChildJvm.Output output, String word) {
    return Double.parseDouble(output.value(word));
  }

  @Test
  void openAndClose_retrofitted_allocatesWhatTheMapDidLess() throws Exception {
    ChildJvm.Output stock = run(AgentJvm.with(), "measure");
    ChildJvm.Output retrofitted = run(AgentJvm.withAgent(""), "measure");
    double saved = number(stock, "bytes") - number(retrofitted, "bytes");
    // Two boxed keys and a node: 80 bytes, and 56 where the JVM's headers are compact.
    assertThat(number(stock, "map")).isBetween(56 - 0.5, 80 + 0.5);
    assertThat(saved).isGreaterThanOrEqualTo(number(stock, "map") - 0.5);
  }

  @Test
  void disposeAll_retrofitted_freesAndEmpties() throws Exception {
    ChildJvm.Output output = run(AgentJvm.withAgent(""), "dispose");
    assertThat(output.value("closed")).isEqualTo("0");
    assertThat(output.value("valid")).isEqualTo("false");
    assertThat(output.value("again")).isEqualTo("0");
  }

  /** Memory that its cleaner frees, and memory of many threads. */
  @ParameterizedTest
  @ValueSource(strings = {"forget", "threads"})
  void freedInOtherWays_retrofitted_leavesNothing(String what) throws Exception {
    assertThat(run(AgentJvm.withAgent(""), what).value("closed")).isEqualTo("0");
  }

  @Test
  void mapFoundByReflection_isAMapLikeAnyOther() throws Exception {
    ChildJvm.Output output = run(AgentJvm.withAgent(""), "map");
    assertThat(output.value("get")).isEqualTo("value");
    assertThat(output.value("contains")).isEqualTo("true");
    assertThat(output.value("text")).isEqualTo("{-1=value}");
    assertThat(output.value("remove")).isEqualTo("value true");
  }

  @ParameterizedTest
  @ValueSource(strings = {"jna.jar", "jna-5.12.1.jar"})
  void everyVersionOfTheShape_isRetrofittedAndVerified(String jna) throws Exception {
    ChildJvm jvm = AgentJvm.withAgent("").and("-XX:+UnlockDiagnosticVMOptions");
    // The JVM verifies Memory in any case; with this, what is in java.base, too.
    jvm.and("-XX:+BytecodeVerificationLocal");
    ChildJvm.Output output = run(jvm, jna, "close");
    assertThat(output.value("class")).isEqualTo(RETROFITTED);
    assertThat(output.value("closed")).isEqualTo("0");
  }

  @Test
  void otherLoaders_atTheSameTime_haveRetrofittedMemoriesOfTheirOwn() throws Exception {
    ChildJvm.Output output =
        AgentJvm.withAgent("")
            .classPath(AgentJvm.classes())
            .and(InOwnLoader.class.getName(), AgentJvm.classes(), AgentJvm.library("jna.jar"))
            .and("--", "close")
            .run();
    assertThat(output.out()).filteredOn(("class " + RETROFITTED)::equals).hasSize(2);
    assertThat(output.out()).filteredOn("open 1000"::equals).hasSize(2);
    assertThat(output.out()).filteredOn("closed 0"::equals).hasSize(2);
    assertThat(output.said()).isEmpty();
  }

  @Test
  void namedModule_isRetrofitted() throws Exception {
    assertThat(inModule("use").value("module")).isEqualTo("com.sun.jna");
    ChildJvm.Output output = inModule("close");
    assertThat(output.value("class")).isEqualTo(RETROFITTED);
    assertThat(output.value("closed")).isEqualTo("0");
    assertThat(output.said()).isEmpty();
  }

  private static ChildJvm.Output inModule(String what) throws Exception {
    return AgentJvm.withAgent("")
        .and("--module-path", AgentJvm.library("jna-jpms.jar"), "--add-modules", "com.sun.jna")
        .and("--add-opens", "com.sun.jna/com.sun.jna=ALL-UNNAMED") // for the program's reflection
        .classPath(AgentJvm.classes())
        .and(MemoryProgram.class.getName(), what)
        .run();
  }

  @ParameterizedTest
  @CsvSource({
    "jna-5.8.0.jar, no field allocatedMemory",
    "jna-4.5.2.jar, the known code that makes allocatedMemory is in 0 places; not in 1"
  })
  void otherShape_isLeftAloneAndSaidOnce(String jna, String why) throws Exception {
    ChildJvm.Output output = run(AgentJvm.withAgent(""), jna, "use");
    assertThat(output.value("read")).isEqualTo("42");
    assertThat(output.said())
        .containsExactly(
            "offcut: JNA's Memory has an unknown shape ("
                + why.replace(';', ',')
                + "); left as it is");
  }

  @Test
  void switchedOff_isLeftAlone() throws Exception {
    ChildJvm.Output output = run(AgentJvm.withAgent("jna=off"), "close");
    assertThat(output.value("class")).isEqualTo("java.util.concurrent.ConcurrentHashMap");
    assertThat(output.said()).isEmpty();
  }

  @Test
  void programWithoutJna_hasNoHelpersAndHearsNothing() throws Exception {
    ChildJvm jvm = AgentJvm.withAgent("streams=off");
    ChildJvm.Output output = jvm.and("-Xlog:class+load", "-version").run();
    assertThat(output.said()).isEmpty();
    assertThat(output.out()).noneMatch(line -> line.contains("java.util.concurrent.Offcut"));
  }
}
