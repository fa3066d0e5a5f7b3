package dev.offcut.replay.space;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.replay.space.Space.ArenaKind;
import dev.offcut.replay.space.Space.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Spaces that breathe: arenas grow with a chance of four in five and are closed with one in five,
 * full ones first. After every step the pieces of each node tile it, and what the space says to use
 * is what a model that only adds up has.
 */
class BreatheTest {
  private static final long SPACE = 512 << 10;
  private static final int STEPS = 1500;
  private static final int ARENAS = 50;

  /** One arena, and the sum of its blocks. */
  private static final class Model {
    final Space.Arena arena;
    long used;
    boolean full;

    Model(Space.Arena arena) {
      this.arena = arena;
    }
  }

  static Stream<Arguments> everySpace() {
    return Policy.known().stream()
        .flatMap(
            policy ->
                Stream.of(Space.Kind.values()).map(kind -> Arguments.of(policy.name(), kind)));
  }

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private final List<Model> models = new ArrayList<>();

  @ParameterizedTest
  @MethodSource("everySpace")
  void verify_afterEveryStep_holds(String policy, Space.Kind kind) {
    long limit = kind == Space.Kind.CLASS ? SPACE : 4 * SPACE;
    Space space = Objects.requireNonNull(Policy.named(policy)).space(kind, limit);
    int medium = kind == Space.Kind.CLASS ? 4096 : 8192;
    for (int step = 0; step < STEPS; step++) {
      if (random.nextInt(5) < 4) {
        grow(space, medium);
      } else {
        shrink(space);
      }
      check(space, step);
    }
    models.forEach(model -> model.arena.close());
    models.clear();
    space.purge();
    check(space, STEPS);
    assertThat(space.usage().handedOut()).isZero();
    space.close();
  }

  private void grow(Space space, int medium) {
    Model model = models.size() < ARENAS ? open(space) : any();
    if (model == null) {
      return;
    }
    for (int i = 0; i < 20 && !model.full; i++) {
      boolean humongous = random.nextInt(1000) < 6;
      long words = humongous ? medium + random.nextInt(medium) : 1 + random.nextInt(300);
      model.full = !model.arena.allocate(words);
      model.used += model.full ? 0 : words;
    }
  }

  private @Nullable Model open(Space space) {
    Space.Arena arena = space.open(ArenaKind.STANDARD);
    if (arena == null) {
      return null;
    }
    Model model = new Model(arena);
    models.add(model);
    return model;
  }

  private Model any() {
    return models.get(random.nextInt(models.size()));
  }

  private void shrink(Space space) {
    if (models.isEmpty()) {
      return;
    }
    Model model = models.stream().filter(each -> each.full).findAny().orElseGet(this::any);
    model.arena.close();
    models.remove(model);
    if (random.nextInt(4) == 0) {
      space.purge();
    }
  }

  private void check(Space space, int step) {
    String where = "seed " + seed + ", step " + step;
    for (Space.NodeMap node : space.map()) {
      long end = 0;
      for (Space.Piece piece : node.pieces()) {
        assertThat(piece.from()).as(where).isEqualTo(end);
        end += piece.words();
      }
      assertThat(end).as(where).isEqualTo(node.words());
    }
    Usage usage = space.usage();
    assertThat(usage.used()).as(where).isEqualTo(models.stream().mapToLong(m -> m.used).sum());
    assertThat(inUse(space)).as(where).isEqualTo(usage.handedOut());
  }

  private static long inUse(Space space) {
    return space.map().stream()
        .flatMap(node -> node.pieces().stream())
        .filter(piece -> piece.state() == Space.State.IN_USE)
        .mapToLong(Space.Piece::words)
        .sum();
  }
}
