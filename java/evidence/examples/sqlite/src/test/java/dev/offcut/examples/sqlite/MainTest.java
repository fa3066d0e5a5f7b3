package dev.offcut.examples.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.ChildJvm;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The program as a process. */
final class MainTest {
  private static final Pattern NOT_CLOSED = Pattern.compile("([0-9,]+) statements not closed");

  /** One compiler and the serial collector start soonest. */
  static ChildJvm jvm(String... options) {
    return ChildJvm.with(
            "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
        .and((Object[]) options);
  }

  @Test
  void main_forgetting_leavesAllOfThemToTheNet() throws Exception {
    ChildJvm.Output result =
        jvm("-Doffcut.handle.detection=full", "-Doffcut.handle.reportAtExit=true")
            .program(Main.class, "--rows=2000", "--queries", "20000", "--forget=10%")
            .runToAnyEnd();
    assertThat(result.exitCode()).as(result.errText()).isZero();
    Matcher matcher = NOT_CLOSED.matcher(result.outText());
    assertThat(matcher.find()).as(result.outText()).isTrue();
    String count = matcher.group(1);
    assertThat(Integer.parseInt(count.replace(",", ""))).isBetween(1990, 2010);
    assertThat(result.outText()).hasLineCount(1);
    assertThat(result.errText())
        .contains("FORGOTTEN  type=sqlite3_stmt  " + count + " of ")
        .contains("dev.offcut.examples.sqlite.Orders.prepare(Orders.java:")
        .doesNotContain("OPEN ");
  }

  @Test
  void main_forgettingNothing_leaksNothing() throws Exception {
    ChildJvm.Output result =
        jvm("-Doffcut.handle.reportAtExit=true")
            .program(Main.class, "--rows=1", "--queries=100")
            .runToAnyEnd();
    assertThat(result.exitCode()).as(result.errText()).isZero();
    assertThat(result.outText()).contains(": 1 rows, 100 queries in ", " 0 statements not closed");
    assertThat(result.errText()).doesNotContain("FORGOTTEN", "OPEN ");
  }

  @Test
  void main_noLibrary_saysWhatToInstall() throws Exception {
    ChildJvm.Output result =
        jvm("-Doffcut.sqlite.library=libnosuch.so").program(Main.class, "--rows=10").runToAnyEnd();
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.outText()).isEmpty();
    assertThat(result.errText())
        .startsWith("offcut: SQLite's library was not found (tried libnosuch.so); install it with")
        .contains("apt-get install libsqlite3-0", "dnf install", "brew install")
        .hasLineCount(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"--csv=x", "--rows", "--rows=ten", "--queries=-1", "--forget=much", "--forget=7"})
  void main_wrongUsage_isTwo(String argument) throws Exception {
    ChildJvm.Output result = jvm().program(Main.class, argument).runToAnyEnd();
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.outText()).isEmpty();
    assertThat(result.errText())
        .startsWith("offcut: " + argument.replaceFirst("=.*", " "))
        .contains("--rows N (200000)")
        .hasLineCount(2);
  }
}
