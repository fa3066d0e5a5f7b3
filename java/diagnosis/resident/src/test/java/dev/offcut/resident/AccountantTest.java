package dev.offcut.resident;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Accounts of a program that holds what {@link Holder} says. */
class AccountantTest {
  private static final long MIB = 1L << 20;

  /** What a program has of malloc at least. */
  private static final long BUFFERS =
      Holder.SMALL_BUFFERS * (long) Holder.SMALL_BUFFER
          + Holder.LARGE_BUFFERS * (long) Holder.LARGE_BUFFER;

  @TempDir private Path folder = Path.of("");

  /** A program in a JVM of its own. */
  private final class Program implements AutoCloseable {
    private final Process process;

    /** Starts it, and waits until it holds all. */
    Program(String java, List<String> options, String... more) throws IOException {
      this(Map.of(), java, options, more);
    }

    private Program(
        Map<String, String> environment, String java, List<String> options, String... more)
        throws IOException {
      Path file = folder.resolve("a file.jar");
      try (RandomAccessFile data = new RandomAccessFile(file.toFile(), "rw")) {
        data.setLength(Holder.FILE);
      }
      List<String> command = new ArrayList<>(List.of(java, "-Xmx300m"));
      command.addAll(options);
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
      command.addAll(List.of(Holder.class.getName(), file.toString()));
      command.addAll(List.of(more));
      process = start(environment, command);
      await();
    }

    /** One that has class loaders. */
    Program(String java, String kept) throws IOException {
      List<String> command = new ArrayList<>(List.of(java, "-XX:MetaspaceSize=512m"));
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
      command.addAll(List.of(Redeployed.class.getName(), kept));
      process = start(Map.of(), command);
      await();
    }

    private static Process start(Map<String, String> environment, List<String> command)
        throws IOException {
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
      builder.environment().putAll(environment);
      return builder.start();
    }

    private void await() throws IOException {
      BufferedReader said = process.inputReader();
      String line = said.readLine();
      while (line != null && !line.equals(Holder.READY)) {
        line = said.readLine();
      }
      assertThat(line).as("the program is ready").isEqualTo(Holder.READY);
    }

    /** Opens the socket on which it is asked. */
    void attach() throws IOException, AttachNotSupportedException {
      VirtualMachine.attach(String.valueOf(process.pid())).detach();
    }

    Path path() {
      return Path.of("/proc", String.valueOf(process.pid()));
    }

    Account account() throws IOException {
      Account account = new Accountant(process.pid()).take();
      assertThat(account.rows()).extracting(Account.Row::bytes).allMatch(bytes -> bytes > 0);
      assertThat(account.rows().stream().mapToLong(Account.Row::bytes).sum())
          .isEqualTo(account.resident());
      return account;
    }

    /**
     * One of a moment at which the program maps nothing: what it maps between two looks of an
     * account is in one of them only. A JVM compiles for a while after its start.
     */
    Account accountAtRest() throws IOException {
      Account account = account();
      for (int more = 0;
          more < 4 && account.bytes(Part.UNEXPLAINED) > unexplained(account);
          more++) {
        account = account();
      }
      return account;
    }

    /** The most that may be unexplained. */
    static long unexplained(Account account) {
      return account.resident() / 100;
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  /** Homes of the JDKs that were found; without any, this one. */
  private static List<String> jvms() {
    String found = System.getProperty("offcut.jvms", "");
    return found.isEmpty()
        ? List.of(System.getProperty("java.home"))
        : Stream.of(found.split(":")).toList();
  }

  private static String java(String home) {
    return home + "/bin/java";
  }

  private static String java() {
    return java(System.getProperty("java.home"));
  }

  /** Of many, the smallest are told together. */
  @Test
  void take_mappedFiles_namesTheLargestAndSaysWhichWereDeleted(@TempDir Path folder)
      throws IOException {
    List<ByteBuffer> kept = new ArrayList<>();
    for (int i = 0; i < 105; i++) {
      kept.add(mapped(folder.resolve("small" + i), 1 << 20));
    }
    Path large = folder.resolve("large");
    kept.add(mapped(large, 2 << 20));
    Files.delete(large);
    Account account = new Accountant(ProcessHandle.current().pid()).take();
    assertThat(account.bytes(Part.FILES)).isGreaterThanOrEqualTo(107 * MIB);
    List<Account.Row> named =
        account.rows().stream()
            .filter(row -> row.part() == Part.FILES && !row.detail().isEmpty())
            .toList();
    assertThat(named).hasSize(100);
    assertThat(named)
        .filteredOn(row -> row.file().startsWith(folder + "/") && row.isDeleted())
        .singleElement()
        .isEqualTo(new Account.Row(Part.FILES, large + " (deleted)", 2 * MIB));
    assertThat(named).extracting(Account.Row::file).contains(large + "");
    assertThat(kept).hasSize(106);
  }

  private static ByteBuffer mapped(Path file, int bytes) throws IOException {
    Files.write(file, new byte[bytes]);
    try (FileChannel channel = FileChannel.open(file)) {
      return channel.map(FileChannel.MapMode.READ_ONLY, 0, bytes).load();
    }
  }

  /** Everything is found that the program is known to hold. */
  private static void check(Account account) {
    assertThat(account.limits()).isEmpty();
    assertThat(account.bytes(Part.UNEXPLAINED))
        .as("unexplained of %s", account)
        .isLessThanOrEqualTo(account.resident() / 100);
    long heap = account.bytes(Part.HEAP_USED) + account.bytes(Part.HEAP_FREE);
    assertThat(heap).isBetween((long) Holder.HEAP, Holder.HEAP + 200 * MIB);
    assertThat(account.heapUsed()).isGreaterThan(Holder.HEAP);
    assertThat(account.heapLimit()).isBetween(300 * MIB, 304 * MIB);
    assertThat(account.bytes(Part.MALLOC_USED) + account.bytes(Part.MALLOC_JVM))
        .isBetween(BUFFERS, BUFFERS + 40 * MIB);
    assertThat(account.bytes(Part.STACKS)).isBetween(Holder.THREADS * 8192L, Holder.THREADS * MIB);
    assertThat(account.threads()).isGreaterThan(Holder.THREADS);
    assertThat(account.bytes(Part.METASPACE)).isPositive();
    assertThat(account.bytes(Part.CODE_CACHE)).isPositive();
    assertThat(account.rows())
        .filteredOn(row -> row.part() == Part.FILES && row.detail().endsWith("/a file.jar"))
        .singleElement()
        .extracting(Account.Row::bytes)
        .isEqualTo((long) Holder.FILE);
  }

  @ParameterizedTest
  @MethodSource("jvms")
  void take_onEachJdk(String home) throws Exception {
    try (Program program = new Program(java(home), List.of("-XX:TieredStopAtLevel=1"))) {
      program.attach();
      check(program.account());
    }
  }

  private static Stream<String> collectors() {
    return Stream.of("G1", "Parallel", "Serial", "Z", "Shenandoah");
  }

  @ParameterizedTest
  @MethodSource("collectors")
  void take_withEachCollector(String collector) throws Exception {
    String option = "-XX:+Use" + collector + "GC";
    Process probe = new ProcessBuilder(java(), option, "-version").start();
    Assumptions.assumeTrue(probe.waitFor() == 0, "this JVM has no " + collector);
    try (Program program = new Program(java(), List.of(option, "-XX:TieredStopAtLevel=1"))) {
      program.attach();
      Accountant accountant = new Accountant(program.process.pid());
      check(accountant.take());
      check(accountant.take()); // which asks for what changed
    }
  }

  @Test
  void take_ofAJvmThatTracksItsMemory() throws Exception {
    try (Program program = new Program(java(), List.of("-XX:NativeMemoryTracking=summary"))) {
      program.attach();
      Account account = program.account();
      check(account);
      assertThat(account.bytes(Part.MALLOC_JVM)).isBetween(3 * MIB, 30 * MIB);
    }
  }

  /** As the system's own tool reads it. */
  @Test
  void mostInotify_isWhatTheSystemSays() throws Exception {
    Process cat = new ProcessBuilder("cat", "/proc/sys/fs/inotify/max_user_instances").start();
    String said = new String(cat.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    assertThat(Bound.mostInotify()).isEqualTo(Long.parseLong(said.trim()));
  }

  /** So no limit is written, which is more than a long has. */
  @Test
  void flag_thatIsNoLimit_isNone() {
    String flags = "-XX:MaxDirectMemorySize=5 -XX:MaxMetaspaceSize=18446744073709551615";
    JvmRanges ranges = JvmRanges.of(command -> command.equals("VM.flags") ? flags : null);
    assertThat(ranges.metaspaceLimit()).isZero();
    assertThat(ranges.directLimit()).isEqualTo(5);
  }

  @Test
  void take_ofAJvmWithLimits_tellsThem() throws Exception {
    List<String> options =
        List.of(
            "-XX:CompressedClassSpaceSize=32m",
            "-XX:MaxMetaspaceSize=64m",
            "-XX:MaxDirectMemorySize=300m");
    try (Program program = new Program(java(), options)) {
      program.attach();
      Account account = program.account();
      assertThat(account.bounds())
          .filteredOn(bound -> bound.of().compareTo(Bound.Of.INOTIFY) > 0)
          .containsExactly(
              new Bound(Bound.Of.CLASS_SPACE, account.bytes(Part.CLASS_SPACE), 32 * MIB),
              new Bound(
                  Bound.Of.METASPACE,
                  account.bytes(Part.CLASS_SPACE) + account.bytes(Part.METASPACE),
                  64 * MIB),
              new Bound(Bound.Of.DIRECT_MEMORY, -1, 300 * MIB));
    }
  }

  /** A trim returns what was predicted, on each C library that a JVM here brings. */
  @ParameterizedTest
  @MethodSource("jvms")
  void take_predictsWhatATrimReturns(String home) throws Exception {
    try (Program program = new Program(java(home), List.of("-XX:TieredStopAtLevel=1"), "free")) {
      program.attach();
      Account before = program.account();
      assertThat(before.bytes(Part.MALLOC_TRIMMABLE)).isGreaterThan(50 * MIB);
      assertThat(Jcmd.of(program.path()).answer("System.trim_native_heap")).isNotNull();
      Account after = program.account();

      long predicted = before.bytes(Part.MALLOC_TRIMMABLE);
      assertThat(before.resident() - after.resident()).isCloseTo(predicted, within(predicted / 10));
      assertThat(after.bytes(Part.MALLOC_TRIMMABLE)).isLessThan(predicted / 10);
      assertThat(before.bytes(Part.MALLOC_UNREAD)).isZero();
    }
  }

  @Test
  void take_ofAJvmThatNobodyAsks_saysSo() throws Exception {
    try (Program program = new Program(java(), List.of("-XX:+DisableAttachMechanism"))) {
      Account account = program.account();
      assertThat(account.limits()).singleElement().asString().contains("The JVM did not answer");
      assertThat(account.heapUsed()).isEqualTo(-1);
      assertThat(account.bytes(Part.UNEXPLAINED)).isGreaterThan(Holder.HEAP);
    }
  }

  /** A folder with what of a process everybody may read. */
  private Path readable(Program program) throws IOException {
    for (String file : List.of("smaps", "stat", "status", "cgroup")) {
      Files.write(folder.resolve(file), Files.readAllBytes(program.path().resolve(file)));
    }
    Files.createSymbolicLink(folder.resolve("root"), Path.of("/"));
    return folder;
  }

  private static void checkUnread(Account account) {
    assertThat(account.rows().stream().mapToLong(Account.Row::bytes).sum())
        .isEqualTo(account.resident());
    assertThat(account.limits())
        .anyMatch(limit -> limit.contains("read the memory of the process"));
    assertThat(account.bytes(Part.MALLOC_UNREAD)).isPositive();
    assertThat(account.bytes(Part.MALLOC_TRIMMABLE)).isZero();
    assertThat(account.bytes(Part.STACKS)).isBetween(Holder.THREADS * 8192L, Holder.THREADS * MIB);
  }

  @Test
  void take_withoutReadingMemory_hasFewerRowsAndSaysSo() throws Exception {
    try (Program program = new Program(java(), List.of())) {
      program.attach();
      Path process = readable(program);
      Files.createSymbolicLink(process.resolve("task"), program.path().resolve("task"));
      Account account = new Accountant(process).take();
      checkUnread(account);
      assertThat(account.limits()).noneMatch(limit -> limit.contains("stacks"));

      // A system may open the file of memory, and refuse to read it.
      Files.delete(process.resolve("task"));
      Files.createSymbolicLink(process.resolve("pagemap"), program.path().resolve("pagemap"));
      Files.createFile(process.resolve("mem"));
      // Nor may anybody ask the threads: a folder is not read.
      for (int thread = 0; thread <= Holder.THREADS; thread++) {
        Files.createDirectories(process.resolve("task").resolve(thread + "/syscall"));
      }
      account = new Accountant(process).take();
      checkUnread(account);
      assertThat(account.limits()).anyMatch(limit -> limit.contains("where their stacks are"));
    }
  }

  private static Stream<String> mallocs() {
    return Stream.of("libjemalloc.so.2", "libmimalloc.so.2", "libtcmalloc_minimal.so.4");
  }

  /** What it has is known from its own tables, and is not all that nobody claims. */
  @ParameterizedTest
  @MethodSource("mallocs")
  void take_withAnotherMalloc_knowsWhatItHas(String library) throws Exception {
    Path malloc = Path.of("/usr/lib/x86_64-linux-gnu", library);
    Assumptions.assumeTrue(Files.exists(malloc), malloc + " is not there");
    Map<String, String> preload = Map.of("LD_PRELOAD", malloc.toString());
    try (Program program = new Program(preload, java(), List.of())) {
      program.attach();
      Account account = program.accountAtRest();
      assertThat(account.limits()).isEmpty();
      assertThat(account.bytes(Part.ALLOCATOR)).isBetween(BUFFERS, BUFFERS + 60 * MIB);
      assertThat(account.bytes(Part.ALLOCATOR_UNREAD)).isZero();
      assertThat(account.bytes(Part.MALLOC_USED)).isZero();
      assertThat(account.bytes(Part.UNEXPLAINED)).isLessThanOrEqualTo(Program.unexplained(account));
    }
  }

  /** Nobody refers to them, and no collection has run: before the last account, one does. */
  @ParameterizedTest
  @MethodSource("jvms")
  void takeLast_doesNotCountLoadersThatNothingRefersTo(String home) throws Exception {
    try (Program program = new Program(java(home), "dropped")) {
      program.attach();
      Accountant accountant = new Accountant(program.process.pid());
      assertThat(applications(accountant.take())).isEqualTo(Redeployed.LOADERS);
      assertThat(applications(accountant.takeLast())).isZero();
    }
    try (Program program = new Program(java(home), Redeployed.KEPT)) {
      program.attach();
      Account account = new Accountant(program.process.pid()).takeLast();
      assertThat(applications(account)).isEqualTo(Redeployed.LOADERS);
      assertThat(account.limits()).isEmpty();
    }
  }

  @Test
  void takeLast_withoutACollectionOrAnAnswer_saysThatLoadersMayBeUnreachable() throws Exception {
    try (Program program = new Program(java(), Redeployed.KEPT)) {
      program.attach();
      Jcmd jvm = Jcmd.of(program.path());
      Accountant accountant =
          new Accountant(
              program.path(), command -> command.equals("GC.run") ? null : jvm.answer(command));
      assertThat(accountant.take().limits()).isEmpty();
      Account account = accountant.takeLast();
      assertThat(applications(account)).isEqualTo(Redeployed.LOADERS);
      assertThat(account.limits())
          .singleElement()
          .asString()
          .startsWith("The JVM ran no garbage collection before its class loaders were counted.");

      // Those of the account before are kept if the JVM does not answer.
      AtomicBoolean answers = new AtomicBoolean(true);
      accountant =
          new Accountant(
              program.path(),
              command ->
                  command.equals("VM.classloader_stats") && !answers.get()
                      ? null
                      : jvm.answer(command));
      accountant.take();
      answers.set(false);
      account = accountant.takeLast();
      assertThat(applications(account)).isEqualTo(Redeployed.LOADERS);
      assertThat(account.hasLoadersUncollected()).isTrue();
      assertThat(account.limits())
          .hasSize(2)
          .anyMatch(limit -> limit.startsWith("The JVM did not answer which class loaders"));
    }
  }

  private static int applications(Account account) {
    return account.loaders().stream()
        .filter(group -> group.name().startsWith(Redeployed.class.getName()))
        .mapToInt(Account.Group::count)
        .sum();
  }

  @Test
  void take_ofAProcessThatEnded_fails() throws Exception {
    Process process = new ProcessBuilder("true").start();
    process.waitFor();
    Accountant accountant = new Accountant(process.pid());
    assertThatThrownBy(accountant::take).isInstanceOf(IOException.class);
  }
}
