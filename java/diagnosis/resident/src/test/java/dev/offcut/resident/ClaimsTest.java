package dev.offcut.resident;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.resident.Claims.Claim;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ClaimsTest {
  private final Claims claims = new Claims();

  @Test
  void add_agreesWithAnArray() {
    Random random = new Random(7);
    Part[] expected = new Part[1000];
    for (int turn = 0; turn < 40; turn++) {
      int start = random.nextInt(1000);
      int end = start + random.nextInt(Math.min(100, 1000 - start) + 1);
      Part part = random.nextBoolean() ? Part.FILES : Part.STACKS;
      claims.add(start, end, part);
      for (int at = start; at < end; at++) {
        expected[at] = expected[at] == null ? part : expected[at];
      }
      for (int at = 0; at < 1000; at++) {
        Claim claim = claims.atOrAfter(at);
        Part found = claim == null || claim.start() > at ? null : claim.part();
        assertThat(found).as("%d", at).isEqualTo(expected[at]);
      }
    }
  }

  /** The system makes one mapping of two neighbours: of a bitmap, say, and of a block of malloc. */
  @Test
  void claimBitmap_besideWhatIsClaimed() {
    List<Mapping> mappings =
        Mapping.parse(
            """
            7e0000000000-7e0000800000 ---p 00000000 00:00 0
            Rss:                   0 kB
            7f0000000000-7f0000010000 rw-p 00000000 00:00 0
            7f0000100000-7f0001000000 rw-p 00000000 00:00 0
            Rss:                1028 kB
            7f0001000000-7f0001200000 ---p 00000000 00:00 0
            7f0001200000-7f0001a00000 rw-s 00000000 00:01 7          /memfd:other
            """);
    claims.add(0x7f0000100000L, 0x7f0000800000L, Part.MALLOC_USED);

    Accountant.claimBitmap(mappings, 11 << 20, claims);
    assertThat(claims.isFree(0x7f0000800000L, 0x7f0001200000L)).as("more than is free").isTrue();

    Accountant.claimBitmap(mappings, 8 << 20, claims);
    assertThat(claims.atOrAfter(0x7f0000800000L))
        .as("what fits, and not the address space behind it")
        .isEqualTo(new Claim(0x7f0000800000L, 0x7f0001000000L, Part.GC, ""));
    assertThat(claims.isFree(0, 0x7f0000100000L)).as("its twin, which nobody touched").isTrue();
    assertThat(claims.isFree(0x7f0001000000L, 0x7f0003000000L)).isTrue();
  }

  @Test
  void claimRegions_isWhatHasTheirSize() {
    List<Mapping> mappings =
        Mapping.parse(
            """
            7f0000000000-7f00000e0000 rw-p 00000000 00:00 0
            7f0000100000-7f0000160000 rw-p 00000000 00:00 0
            Rss:                 384 kB
            7f0000200000-7f0000300000 rw-p 00000000 00:00 0
            Rss:                1024 kB
            """);
    claims.add(0x7f0000200000L, 0x7f0000220000L, Part.MALLOC_USED);

    Accountant.claimRegions(mappings, 2048, claims);
    assertThat(claims.atOrAfter(0))
        .as("what is touched, and has so many times as many cache lines")
        .isEqualTo(new Claim(0x7f0000100000L, 0x7f0000160000L, Part.GC, ""));
    Accountant.claimRegions(mappings, 2048, claims);
    assertThat(claims.isFree(0x7f0000220000L, 0x7f0000300000L)).as("beside another").isFalse();
    Accountant.claimRegions(mappings, 2048, claims);
    assertThat(claims.isFree(0, 0x7f0000100000L)).as("nobody touched it").isTrue();
  }
}
