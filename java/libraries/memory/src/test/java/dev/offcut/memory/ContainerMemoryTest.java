package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Control groups as files in a folder, and budgets on them. */
final class ContainerMemoryTest {
  private static final long MIB = 1 << 20;

  @TempDir private Path folder = Path.of("");
  private Path mounted = Path.of("");
  private Path process = Path.of("");

  @BeforeEach
  void paths() {
    mounted = folder.resolve("mounted");
    process = folder.resolve("cgroup");
  }

  private static void write(Path path, Object text) throws IOException {
    Files.createDirectories(path.getParent());
    Files.writeString(path, text + "\n");
  }

  private void second(String group, Object max, Object high, long used, long cache)
      throws IOException {
    Path at = Path.of(mounted + group);
    write(at.resolve("memory.max"), max);
    write(at.resolve("memory.high"), high);
    write(at.resolve("memory.current"), used);
    write(
        at.resolve("memory.stat"),
        "anon 5\nfile 900\nshmem 77\ninactive_anon 3\nactive_anon 4\ninactive_file "
            + cache / 4
            + "\nactive_file "
            + (cache - cache / 4)
            + "\nunevictable 9");
  }

  private void first(String group, long limit, long used, long cache) throws IOException {
    Path at = Path.of(mounted + "/memory" + group);
    write(at.resolve("memory.limit_in_bytes"), limit);
    write(at.resolve("memory.usage_in_bytes"), used);
    write(
        at.resolve("memory.stat"),
        "cache 900\nactive_file 1\ninactive_file 2\ntotal_inactive_file "
            + cache
            + "\ntotal_active_file 0");
  }

  private ContainerMemory read() throws IOException {
    ContainerMemory memory = ContainerMemory.of(process, mounted);
    assertThat(memory.read()).isTrue();
    return memory;
  }

  private void assertRead(long limit, long used, String file) throws IOException {
    ContainerMemory memory = read();
    assertThat(memory.limitBytes).isEqualTo(limit);
    assertThat(memory.usedBytes).isEqualTo(used);
    assertThat(memory.limitFile).isEqualTo(mounted + file);
  }

  @Test
  void second_inItsContainer_withoutCacheThatCanBeDropped() throws IOException {
    write(process, "0::/");
    second("", 1000, "max", 700, 400);
    assertRead(1000, 300, "/memory.max");
  }

  @Test
  void second_highIsALimit_too() throws IOException {
    write(process, "0::/");
    second("", 1000, 800, 700, 400);
    assertRead(800, 300, "/memory.high");
  }

  /** The path is the host's; the container sees its group as the root. */
  @Test
  void second_byTheHostsPath() throws IOException {
    write(process, "0::/docker/0123");
    second("", 1000, "max", 700, 0);
    assertRead(1000, 700, "/memory.max");
  }

  @Test
  void second_theLeastRoomOfThoseAbove() throws IOException {
    write(process, "0::/slice/service");
    second("/slice/service", 500, "max", 100, 0);
    second("/slice", 1000, "max", 900, 0);
    assertRead(1000, 900, "/slice/memory.max");
    second("/slice/service", "max", "max", 100, 0);
    assertRead(1000, 900, "/slice/memory.max");
    second("/slice/service", 150, "max", 100, 0);
    assertRead(150, 100, "/slice/service/memory.max");
  }

  @Test
  void first_besideTheSecond_whichHasNoMemory() throws IOException {
    write(process, "5:cpu,cpuacct:/\n4:memory:/kube/pod\n0::/");
    first("/kube/pod", 9223372036854771712L, 400, 100);
    first("/kube", 1000, 500, 100);
    first("", 9223372036854771712L, 9000, 100);
    assertRead(1000, 400, "/memory/kube/memory.limit_in_bytes");
  }

  @Test
  void first_togetherWithAnotherController() throws IOException {
    write(process, "7:hugetlb,memory:/");
    first("", 1000, 400, 500);
    assertRead(1000, 0, "/memory/memory.limit_in_bytes");
  }

  @Test
  void none_saysSoInOneSentence() throws IOException {
    assertNone("a budget of the container cannot read " + process);
    write(process, "0::/");
    assertNone("a budget of the container finds no control group for memory in " + mounted);
    second("", "max", "max", 100, 0);
    assertNone("a budget of the container finds no limit in " + mounted + "/memory.max or in");
    second("", "rubbish", "max", 100, 0);
    assertNone("a budget of the container cannot read " + mounted + "/memory.max (no number in");
  }

  private void assertNone(String beginning) {
    assertThatThrownBy(() -> ContainerMemory.of(process, mounted))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageStartingWith(beginning)
        .hasMessageEndingWith("; start the container with a memory limit, or use Budget.ofBytes");
  }

  // Budgets on such groups. The Java heap of the test is what it is: the limit leaves room for it.

  private Budget.Builder budget() {
    return Budget.ofContainer(ContainerMemory.of(process, mounted)).margin(MIB);
  }

  private static MemoryPool pool(Budget budget) {
    return PoolInvariants.pool("contained").budget(budget).create();
  }

  private void heapAnd(long room, long used) throws IOException {
    write(process, "0::/");
    second("", Runtime.getRuntime().maxMemory() + MIB + room, "max", used, 0);
  }

  @Test
  void budget_ofWhatTheContainerHasLeft() throws IOException {
    heapAnd(512 * MIB, 500 * MIB);
    Budget budget = budget().create();
    BudgetSnapshot now = budget.snapshot();
    BudgetTest.assertAddsUp(now);
    assertThat(now.usedBytes()).isEqualTo(500 * MIB);
    assertThat(now.limit()).isEqualTo(mounted + "/memory.max");
    assertThat(now.heapGrowthBytes()).isBetween(1L, Runtime.getRuntime().maxMemory());
  }

  @Test
  void usageOfOthers_countsAtTheNextLook_andARefusalSaysSo() throws Exception {
    heapAnd(64 * MIB, 0);
    AtomicInteger calls = new AtomicInteger();
    Budget budget = budget().onShortage(0, at -> calls.incrementAndGet()).create();
    try (MemoryPool pool = pool(budget)) {
      Owner owner = pool.owner().child("worker").create();
      long chunk = owner.allocateChunk(16 * MIB);
      long limit = budget.limitBytes();
      second("", limit, "max", limit - 2 * MIB, 0);
      budget.turn();
      MemoryLimitException refused =
          catchThrowableOfType(MemoryLimitException.class, () -> owner.allocateChunk(32 * MIB));
      assertThat(refused)
          .hasMessageContaining("bytes (" + mounted + "/memory.max), would be exceeded: ")
          .hasMessageContaining(
              " are kept for the Java heap, 1048576 are the margin, and 0 are left")
          .hasMessageContaining(
              "The largest holder is owner worker of pool contained with 16777216");
      assertThat(calls).hasPositiveValue();
      second("", limit, "max", 0, 0);
      long another = owner.allocateChunk(32 * MIB);
      PoolInvariants.check(pool);
      pool.freeChunk(another);
      pool.freeChunk(chunk);
    }
    assertThat(budget.charged()).isZero();
  }

  /** Memory that a pool has taken counts before it is written, and once only afterwards. */
  @Test
  void untouched_isWhatIsNotWrittenYet() throws Exception {
    heapAnd(64 * MIB, 0);
    Budget budget = budget().create();
    try (MemoryPool pool = pool(budget)) {
      long before = budget.snapshot().untouchedBytes();
      long chunk = pool.owner().allocateChunk(48 * MIB);
      budget.snapshot();
      assertThat(budget.snapshot().untouchedBytes() - before).isEqualTo(48 * MIB);
      long limit = budget.limitBytes();
      second("", limit, "max", limit - MIB, 0); // so near the limit, it is counted
      RawMemory.fill(chunk, 16 * MIB, (byte) 1);
      BudgetSnapshot now = budget.snapshot();
      assertThat(now.untouchedBytes()).isEqualTo(32 * MIB);
      long left = now.limitBytes() - now.usedBytes() - now.heapGrowthBytes() - now.marginBytes();
      assertThat(now.roomBytes()).isEqualTo(left - 32 * MIB);
      pool.freeChunk(chunk);
    }
  }

  /** Reservations count, too, unless the container uses so much beyond what is known. */
  @Test
  void reservation_countsUntilItsMemoryIsThere() throws Exception {
    heapAnd(64 * MIB, 0);
    Budget budget = budget().create();
    try (MemoryPool pool = pool(budget);
        Reservation reservation = pool.owner().reserve(40 * MIB)) {
      assertThat(budget.snapshot().untouchedBytes()).isEqualTo(reservation.bytes());
      assertThatThrownBy(() -> pool.owner().reserve(900 * MIB + Runtime.getRuntime().maxMemory()))
          .isInstanceOf(MemoryLimitException.class);
      long limit = budget.limitBytes();
      second("", limit, "max", limit, 0);
      long there = limit - Runtime.getRuntime().totalMemory();
      assertThat(budget.snapshot().untouchedBytes()).isEqualTo(Math.max(0, 40 * MIB - there));
    }
  }

  @Test
  void limitThatChanges_isFollowed_andAGroupThatIsGone_staysAsItWas() throws Exception {
    heapAnd(64 * MIB, 0);
    Budget budget = budget().create();
    long room = budget.snapshot().roomBytes();
    long limit = budget.limitBytes();
    second("", limit + 8 * MIB, "max", 0, 0);
    assertThat(budget.snapshot().limitBytes()).isEqualTo(limit + 8 * MIB);
    Files.delete(mounted.resolve("memory.max"));
    BudgetSnapshot gone = budget.snapshot();
    assertThat(gone.limitBytes()).isEqualTo(limit + 8 * MIB);
    assertThat(gone.roomBytes()).isGreaterThan(room - 64 * MIB);
    assertThat(gone.limit()).contains("which cannot be read any more: ");
    second("", "max", "max", 0, 0);
    assertThat(budget.snapshot().limit()).contains("the container has no limit any more");
  }

  @Test
  void containerThatIsFullAlready_makesABudgetWithoutRoom() throws Exception {
    heapAnd(0, 0);
    second("", 100 * MIB, "max", 100 * MIB, 0);
    Budget budget = budget().create();
    try (MemoryPool pool = pool(budget)) {
      assertThatThrownBy(() -> pool.owner().allocateChunk(1))
          .isInstanceOf(MemoryLimitException.class)
          .hasMessageContaining("and 0 are left");
    }
  }
}
