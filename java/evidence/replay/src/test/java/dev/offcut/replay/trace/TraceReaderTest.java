package dev.offcut.replay.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.replay.space.Space;
import dev.offcut.replay.trace.Op.ClassMemory;
import dev.offcut.replay.trace.Op.Range;
import dev.offcut.replay.trace.Trace.BadTraceException;
import java.io.BufferedReader;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TraceReaderTest {
  private static final String HEADER =
      "{\"schema\":\"offcut.replay-trace/1\",\"name\":\"n\",\"class_space_bytes\":1048576}\n";
  private static final String OPEN = "{\"op\":\"open\",\"arena\":1,\"kind\":\"standard\"}\n";

  private static Trace read(String text) throws Exception {
    return TraceReader.read("t", new BufferedReader(new StringReader(text)));
  }

  @Test
  void read_everyOperation_isAsWritten() throws Exception {
    Trace trace =
        read(
            HEADER
                + "{\"op\":\"open\",\"arenas\":[1,3],\"kind\":\"hidden\"}\n\n"
                + "{\"op\":\"allocate\",\"arena\":2,\"class_words\":60,\"non_class_words\":58,"
                + "\"non_class_blocks\":3,\"times\":7,\"group\":\"g\"}\n"
                + "{\"op\":\"allocate\",\"arena\":3,\"class_words\":9,\"times\":\"until_full\"}\n"
                + "{\"op\":\"mark\",\"name\":\"m\"}\n"
                + "{\"op\":\"close\",\"arena\":2}\n"
                + "{\"op\":\"purge\"}\n");
    assertThat(trace.classSpaceBytes()).isEqualTo(1 << 20);
    assertThat(trace.ops())
        .containsExactly(
            new Op.Open(2, new Range(1, 3), Space.ArenaKind.HIDDEN),
            new Op.Allocate(4, Range.of(2), "g", new ClassMemory(60, 58, 3), 7),
            new Op.Allocate(5, Range.of(3), "", new ClassMemory(9, 0, 0), Op.Allocate.UNTIL_FULL),
            new Op.Mark(6, "m"),
            new Op.Close(7, Range.of(2)),
            new Op.Purge(8));
  }

  static Stream<Arguments> badTraces() {
    return Stream.of(
        Arguments.of("", "t: empty"),
        Arguments.of("[]\n", "t, line 1: not a JSON object"),
        Arguments.of("{}\n", "t, line 1: schema is missing"),
        Arguments.of(
            "{\"schema\":\"offcut.replay-trace/2\"}", "this version reads offcut.replay-trace/1"),
        Arguments.of(HEADER.replace("1048576", "1000000"), "must be 1048576 to 3221225472"),
        Arguments.of(HEADER.replace("1048576", "1048577"), "must be a multiple of 65536"),
        Arguments.of(HEADER.replace("name", "nam"), "unknown member nam"),
        Arguments.of(HEADER + OPEN + "what?", "t, line 3: not JSON"),
        Arguments.of(HEADER + OPEN.strip() + OPEN, "t, line 2: more than one JSON object"),
        Arguments.of(HEADER + "{\"op\":\"free\"}", "unknown op free (known: open, allocate"),
        Arguments.of(HEADER + "{\"op\":\"purge\",\"op\":\"purge\"}", "Duplicate field 'op'"),
        Arguments.of(
            HEADER + OPEN.replace("standard", "app"), "unknown kind of arena app (known: boot"),
        Arguments.of(HEADER + OPEN + OPEN, "t, line 3: arena 1 was opened before"),
        Arguments.of(HEADER + OPEN.replace(":1,", ":-1,"), "arena is -1, but must be 0 to"),
        Arguments.of(
            HEADER + OPEN.replace(":1,", ":1.5,"), "arena must be a whole number, not 1.5"),
        Arguments.of(
            HEADER + OPEN.replace("\"arena\":1", "\"arenas\":[3,2]"), "ends before it begins"),
        Arguments.of(
            HEADER + OPEN.replace("\"arena\":1", "\"arenas\":[3]"), "must be [first, last]"),
        Arguments.of(
            HEADER + "{\"op\":\"open\",\"kind\":\"boot\"}", "needs either arena or arenas"),
        Arguments.of(HEADER + "{\"op\":\"close\",\"arena\":4}", "line 2: arena 4 was never opened"),
        Arguments.of(
            HEADER + OPEN + "{\"op\":\"close\",\"arena\":1}\n{\"op\":\"close\",\"arena\":1}",
            "line 4: arena 1 is closed"),
        Arguments.of(allocate("\"class_words\":-5"), "line 3: class_words is -5, but must be 0 to"),
        Arguments.of(
            allocate("\"class_words\":\"5\""), "class_words must be a whole number, not 5"),
        Arguments.of(allocate("\"class_words\":99999999999999999999"), "line 3: not JSON"),
        Arguments.of(
            allocate("\"class_word\":5"), "unknown member class_word (known here: op, arena"),
        Arguments.of(allocate("\"class_words\":0"), "allocates nothing"),
        Arguments.of(allocate("\"class_words\":1,\"times\":0"), "times is 0, but must be 1 to"),
        Arguments.of(
            allocate("\"class_words\":1,\"times\":\"often\""), "times must be a whole number"),
        Arguments.of(
            allocate("\"non_class_words\":1,\"times\":\"until_full\""),
            "class_words must be above 0"),
        Arguments.of(
            allocate("\"non_class_words\":2,\"non_class_blocks\":3"),
            "non_class_blocks is 3, but must be 1 to 2"),
        Arguments.of(
            HEADER + "{\"op\":\"mark\",\"name\":\"m\"}\n".repeat(33), "more than 32 marks"));
  }

  private static String allocate(String members) {
    return HEADER + OPEN + "{\"op\":\"allocate\",\"arena\":1," + members + "}";
  }

  @ParameterizedTest
  @MethodSource("badTraces")
  void read_badTrace_isOneSentenceWithTheLine(String text, String message) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(BadTraceException.class)
        .hasMessageContaining(message)
        .message()
        .startsWith("t")
        .doesNotContain("\n");
  }

  @Test
  void read_noSuchFile_says(@TempDir Path folder) throws Exception {
    assertThatThrownBy(() -> TraceReader.read(folder.resolve("no")))
        .isInstanceOf(BadTraceException.class)
        .hasMessage(folder.resolve("no") + ": no such trace");
    assertThatThrownBy(() -> TraceReader.read(folder))
        .isInstanceOf(BadTraceException.class)
        .hasMessageContaining("is a directory");
    Path bytes = Files.write(folder.resolve("bytes"), new byte[] {(byte) 0xc3, 0x28});
    assertThatThrownBy(() -> TraceReader.read(bytes))
        .isInstanceOf(BadTraceException.class)
        .hasMessageContaining("not text in UTF-8");
  }
}
