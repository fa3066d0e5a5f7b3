package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the files that {@code spec/pool-trace.md} describes. */
final class PoolTraceTest {
  private static final Path TRACES = Path.of("../../../spec/pool-traces");

  private final Map<String, Owner> owners = new HashMap<>();
  private final Map<String, Long> chunks = new HashMap<>();

  static Stream<Path> traces() throws IOException {
    try (Stream<Path> files = Files.list(TRACES)) {
      List<Path> all = files.sorted().toList();
      assertThat(all).hasSizeGreaterThanOrEqualTo(4);
      return all.stream();
    }
  }

  @ParameterizedTest
  @MethodSource("traces")
  void trace_givesTheSamePlaces(Path trace) throws IOException {
    List<String[]> lines = new ArrayList<>();
    for (String line : Files.readAllLines(trace)) {
      String words = line.replaceAll("#.*", "").strip();
      lines.add(words.isEmpty() ? new String[] {""} : words.split(" +", -1));
    }
    int first = 0;
    while (lines.get(first)[0].isEmpty()) {
      first++;
    }
    String[] head = lines.get(first);
    assertThat(head[0]).isEqualTo("pool");
    try (MemoryPool pool =
        MemoryPool.named("trace")
            .chunks(Long.parseLong(head[1]), Integer.parseInt(head[2]))
            .reserveLimit(Long.parseLong(head[3]))
            .create()) {
      for (int at = first + 1; at < lines.size(); at++) {
        try {
          step(pool, lines.get(at));
        } catch (AssertionError e) {
          throw new AssertionError(trace.getFileName() + ", line " + (at + 1), e);
        }
      }
      chunks.values().forEach(pool::freeChunk);
      PoolInvariants.check(pool);
    }
  }

  private void step(MemoryPool pool, String[] words) {
    switch (words[0]) {
      case "" -> {}
      case "owner" ->
          owners.put(
              words[1],
              pool.owner()
                  .child(words[1])
                  .lifetime(words[2].equals("long") ? Lifetime.LONG : Lifetime.SHORT)
                  .create());
      case "take" -> take(pool, words);
      case "free" -> pool.freeChunk(Objects.requireNonNull(chunks.remove(words[1])));
      case "free-set" -> assertThat(freeSet(pool)).isEqualTo(String.join(" ", words));
      default -> throw new AssertionError("unknown step " + words[0]);
    }
    PoolInvariants.check(pool);
  }

  private void take(MemoryPool pool, String[] words) {
    Owner owner = Objects.requireNonNull(owners.get(words[2]), words[2]);
    long bytes = Long.parseLong(words[3]);
    if (words[4].equals("none")) {
      assertThatThrownBy(() -> owner.allocateChunk(bytes)).isInstanceOf(MemoryLimitException.class);
    } else {
      long address = owner.allocateChunk(bytes);
      assertThat(address - pool.allocator().regions.all()[0].base)
          .isEqualTo(Long.parseLong(words[4]));
      chunks.put(words[1], address);
    }
  }

  private static String freeSet(MemoryPool pool) {
    StringJoiner set = new StringJoiner(" ").add("free-set");
    Region[] regions = pool.allocator().regions.all();
    if (regions.length == 0) {
      pool.freeChunk(pool.owner().allocateChunk(1));
      regions = pool.allocator().regions.all();
    }
    regions[0].maps.visitFreeChunks(
        regions[0].tree, (offset, bytes) -> set.add(offset + "+" + bytes));
    return set.toString();
  }
}
