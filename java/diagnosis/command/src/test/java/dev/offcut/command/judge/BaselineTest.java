package dev.offcut.command.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.judge.Finding.Severity;
import dev.offcut.command.judge.Finding.What;
import dev.offcut.command.read.CallSite;
import dev.offcut.command.read.Digest;
import dev.offcut.command.read.DigestBuilder;
import dev.offcut.command.read.Failure;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BaselineTest {
  private static Finding of(Severity severity, String subject, String frame) {
    return Finding.of(severity, What.FORGOTTEN_HANDLES)
        .subject(subject)
        .at(frame.isEmpty() ? CallSite.UNKNOWN : new CallSite(List.of(frame)))
        .count(10, 10)
        .done();
  }

  private static Digest report(Finding... findings) {
    Digest empty = new DigestBuilder().digest(true);
    return empty.with(empty.memory(), List.of(findings));
  }

  private static String text(Finding... findings) {
    return Baseline.NONE.text(List.of(report(findings)));
  }

  private static Baseline read(String text) throws Failure {
    return Baseline.of(text.lines().toList(), "known.txt");
  }

  /** The compiler gives such numbers in the order of the file. */
  @ParameterizedTest
  @CsvSource({
    "a.B.lambda$run$0(B.java:7), a.B.lambda$run$12(B.java:9), true",
    "a.B$1.run(B.java:7), a.B$2.run(B.java:7), true",
    "a.B$C.run(B.java:7), a.B$D.run(B.java:7), false",
    "a.B.lambda$run$0(B.java:7), a.B.lambda$end$0(B.java:7), false",
    "main.(*batch).send(batch.go:7), main.(*batch).send(batch.go:70), true",
    "take(libx.so), take(libx.so), true",
    "a.B.c(Native Method), a.B.c(Native Method), true"
  })
  void applied_comparesWhatEditsLeave(String then, String now, boolean isKnown) throws Failure {
    Baseline known = read(text(of(Severity.LATE, "x", then)));
    List<Finding> shown = known.applied(report(of(Severity.LATE, "x", now))).findings();
    assertThat(shown)
        .extracting(Finding::what)
        .containsExactly(isKnown ? What.KNOWN : What.FORGOTTEN_HANDLES);
  }

  @ParameterizedTest
  @CsvSource({"''", "'# 1'", "'a  b\tc #d'", "'-'", "'mapped files: /a b/c.db (deleted)'"})
  void text_ofAnyName_isReadAgain(String name) throws Failure {
    Finding finding = of(Severity.OPEN, name, "");
    Digest applied = read(text(finding)).applied(report(finding));
    assertThat(applied.findings())
        .singleElement()
        .extracting(Finding::leftOut)
        .isEqualTo(List.of(finding));
  }

  /** Of two lines of one method, the larger figures are kept. */
  @Test
  void text_isSorted_withoutNotesAndCosts_andOncePerMethod() {
    Finding small = of(Severity.LATE, "x", "a.B.c(B.java:7)");
    Finding large =
        Finding.of(Severity.LATE, What.FORGOTTEN_HANDLES)
            .subject("x")
            .at(new CallSite(List.of("a.B.c(B.java:9)")))
            .count(30, 30)
            .bytes(64)
            .done();
    String text =
        text(
            small,
            of(Severity.COST, "x", ""),
            of(Severity.NOTE, "x", ""),
            large,
            of(Severity.KEPT, "", "a.A.a(A.java:1)"));
    assertThat(text.lines().filter(line -> !line.startsWith("#")))
        .containsExactly(
            "KEPT  forgotten_handles  a.A.a(A.java:1)  count=10 bytes=0  # reason?",
            "LATE  x  a.B.c(B.java:7)  count=30 bytes=64  # reason?");
  }

  @Test
  void applied_namesAFew() throws Failure {
    Finding[] all =
        Stream.of("a", "b", "c", "d", "e")
            .map(name -> of(Severity.FORGOTTEN, name, ""))
            .toArray(Finding[]::new);
    Finding note = read(text(all)).applied(report(all)).findings().getFirst();
    assertThat(note.title()).isEqualTo("5 known findings are left out (known.txt)");
    assertThat(note.text())
        .isEqualTo(
            "FORGOTTEN 10 of 10 a handles forgotten; FORGOTTEN 10 of 10 b handles forgotten;"
                + " FORGOTTEN 10 of 10 c handles forgotten; and 2 more.");
  }
}
