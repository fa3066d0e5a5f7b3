package dev.offcut.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.agent.hooks.Level;
import dev.offcut.agent.rules.Wanted;
import dev.offcut.rules.Rule;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest {
  /** What the agent says that it knows. */
  static final String KNOWN =
      "enabled, level, sample, record,"
          + " gcatexit, arenas, buffers, unsafe, jnamemory, downcalls, jnamalloc, cleaners, finalizers, forcedgc,"
          + " native, quiet, account, holders, missed, tables, fleet, fleet.service,"
          + " fleet.version, fleet.host, fleet.every, watch, watch.package, rules, shapes";

  private final PrintStream stderr = System.err;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  @BeforeEach
  void listen() {
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void restore() {
    System.setErr(stderr);
    System.clearProperty("offcut.unsafe");
  }

  private List<String> said() {
    return said.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void fleet_withItsNames_isWanted() {
    Options options = Options.read("fleet=/f,fleet.service=a,fleet.version=1.0-b,fleet.every=2h");
    assertThat(options.fleet()).isEqualTo(new Tracking.Fleet("/f", "a", "1.0-b", null, 7_200_000));
    options = Options.read("fleet=/f,fleet.service=a,fleet.version=1,fleet.host=h,fleet.every=90s");
    assertThat(options.fleet()).isEqualTo(new Tracking.Fleet("/f", "a", "1", "h", 90_000));
    assertThat(Options.read("level=full").fleet()).isNull();
    assertThat(said()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fleet.version=1",
        "fleet.service=a",
        "fleet.service=a/b,fleet.version=1",
        "fleet.service=a,fleet.version=..",
        "fleet.service=a,fleet.version=1,tables=off"
      })
  void fleet_withoutItsNames_isSaid(String given) {
    assertThat(Options.read("fleet=/f," + given).fleet()).isNull();
    assertThat(said().get(said().size() - 1))
        .endsWith("fleet needs fleet.service, fleet.version and tables; nothing is put into /f");
  }

  @Test
  void watch_nameThatIsNone_doesNotTakeTheOthersWithIt() {
    Wanted wanted = Options.read("watch=a.B+1x+c.D#end,watch.package=p.q+r#s,rules=off").watched();
    assertThat(wanted.rules()).extracting(Rule::root).containsExactly("a.B", "c.D", "p.q.*");
    assertThat(wanted.problems())
        .containsExactly(
            "watch=a.B+1x+c.D#end: 1x is no CLASS or CLASS#METHOD; it is not watched",
            "watch.package=p.q+r#s: r#s is no package; it is not watched");
    assertThat(said()).hasSize(2);
    assertThat(Options.read("rules=/none.json").watched().problems())
        .containsExactly("/none.json: there is no such file; none of its rules is used");
  }

  @ParameterizedTest
  @ValueSource(strings = {"10", "m", "0s", "-1m", "1d", "1.5h"})
  void fleetEvery_isNoTime_isSaid(String every) {
    Options options = Options.read("fleet=/f,fleet.service=a,fleet.version=1,fleet.every=" + every);
    assertThat(options.fleet()).isEqualTo(new Tracking.Fleet("/f", "a", "1", null, 600_000));
    assertThat(said()).hasSize(1);
    assertThat(said().get(0)).contains(" is no time, such as 30s, 10m or 1h; 10m is used");
  }

  @ParameterizedTest
  @ValueSource(strings = {"9223372036854775807s", "9223372036854775m", "2562047788015216h"})
  void fleetEvery_thatIsForEver_isForEver(String every) {
    Options options = Options.read("fleet=/f,fleet.service=a,fleet.version=1,fleet.every=" + every);
    Tracking.Fleet fleet = Objects.requireNonNull(options.fleet());
    assertThat(fleet.everyMillis()).isGreaterThan(Long.MAX_VALUE / 1000);
    assertThat(said()).isEmpty();
  }

  @Test
  void counts_beyondAnInt_areTheLargest() {
    Options options = Options.read("sample=3000000000");
    assertThat(options.sample()).isEqualTo(Integer.MAX_VALUE);
    assertThat(said()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ",", " , ", "unsafe=on", "unsafe=true,enabled=on"})
  void nothingSwitchedOff_allIsOn(String given) {
    Options options = Options.read(given);
    assertThat(Option.values()).allMatch(options::isOn);
    assertThat(said()).isEmpty();
  }

  @Test
  void noOptions_allIsOn_andASampleIsCounted() {
    Options options = Options.read(null);
    assertThat(Option.values()).allMatch(options::isOn);
    assertThat(options.level()).isEqualTo(Level.SAMPLE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"unsafe=off", "unsafe=false", "enabled=on, unsafe=off", "unsafe=on,unsafe=off"})
  void off_isOff(String given) {
    Options options = Options.read(given);
    assertThat(options.isOn(Option.UNSAFE)).isFalse();
    assertThat(options.isOn(Option.ENABLED)).isTrue();
    assertThat(said()).isEmpty();
  }

  @Test
  void property_countsUnlessAnOptionSaysOtherwise() {
    System.setProperty("offcut.unsafe", "off");
    assertThat(Options.read("").isOn(Option.UNSAFE)).isFalse();
    assertThat(Options.read("unsafe=on").isOn(Option.UNSAFE)).isTrue();
  }

  private static List<String> watched(String given) {
    return Options.read(given).watched().rules().stream().map(Rule::root).toList();
  }

  @Test
  void rules_areThoseThatCostLittle_unlessTheUserSaysMore(@TempDir Path folder) throws Exception {
    String cheap = "org.rocksdb.AbstractNativeReference";
    String dear = "java.sql.Statement";
    assertThat(watched("level=count")).contains(cheap).doesNotContain(dear);
    assertThat(watched("level=count,rules=on")).contains(cheap, dear);
    assertThat(watched("level=count,rules=off,watch=a.B")).containsExactly("a.B");
    assertThat(watched("level=count,watch=" + dear)).contains(cheap, dear);
    Path file =
        Files.writeString(
            folder.resolve("my.json"),
            "{\"schema\": \"offcut.closeables/1\", \"rules\": [{\"class\": \"a.B\", \"closes\":"
                + " [\"close\"], \"byDefault\": false}]}");
    assertThat(watched("level=count,rules=" + file)).contains(cheap, "a.B").doesNotContain(dear);
    assertThat(said()).isEmpty();
  }

  @Test
  void unknownOption_isNamedWithTheKnownOnes() {
    Options.read("tracking=on,unsafe=off,x");
    assertThat(said())
        .containsExactly(
            "offcut: the option tracking is unknown; known are " + KNOWN,
            "offcut: the option x is unknown; known are " + KNOWN);
  }

  @Test
  void unknownValue_isNamedAndChangesNothing() {
    System.setProperty("offcut.unsafe", "maybe");
    Options options = Options.read("enabled=off,enabled");
    assertThat(options.isOn(Option.UNSAFE)).isTrue();
    assertThat(options.isOn(Option.ENABLED)).isFalse();
    assertThat(said())
        .containsExactly(
            "offcut: offcut.unsafe=maybe is neither on nor off; on is used",
            "offcut: enabled= is neither on nor off; off is used");
  }
}
