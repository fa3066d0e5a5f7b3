package dev.offcut.resident;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Go programs, by a file as Go's linker writes it, and accounts of such a process. */
class GoProgramTest {
  private static final long MIB = 1L << 20;
  private static final String MODULES =
      "0123456789abcdefpath\texample.com/server\nmod\texample.com/server\t(devel)\t\n"
          + "dep\toffcut.dev/go\tv0.0.0\t\nbuild\t-compiler=gc\n0123456789abcdef";

  @TempDir private Path folder = Path.of("");

  private static byte[] information(int flags, String version, String modules) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes("\u00ff Go buildinf:".getBytes(StandardCharsets.ISO_8859_1));
    bytes.write(8);
    bytes.write(flags);
    bytes.writeBytes(new byte[16]);
    for (String text : List.of(version, modules)) {
      int length = text.length();
      while (length >= 0x80) {
        bytes.write(length | 0x80);
        length >>>= 7;
      }
      bytes.write(length);
      bytes.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }
    return bytes.toByteArray();
  }

  /** An ELF file of two sections: one of this name and content, and their names. */
  private static byte[] elf(String name, byte[] content) {
    byte[] names = ("\0" + name + "\0.shstrtab\0").getBytes(StandardCharsets.US_ASCII);
    int contentAt = 64 + 2 * 64;
    ByteBuffer file =
        ByteBuffer.allocate(contentAt + content.length + names.length)
            .order(ByteOrder.LITTLE_ENDIAN);
    file.put(new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1});
    file.putLong(40, 64).putShort(60, (short) 2).putShort(62, (short) 1);
    file.putInt(64, 1).putLong(64 + 24, contentAt).putLong(64 + 32, content.length);
    file.putLong(128 + 24, contentAt + content.length).putLong(128 + 32, names.length);
    file.put(contentAt, content).put(contentAt + content.length, names);
    return file.array();
  }

  private Path written(byte[] content) throws IOException {
    return Files.write(folder.resolve("exe"), content);
  }

  @Test
  void of_goProgram_hasReleaseAndModules() throws IOException {
    Path file = written(elf(".go.buildinfo", information(2, "go1.26.8 X:nodwarf5", MODULES)));
    assertThat(GoProgram.of(file))
        .isEqualTo(new GoProgram("go1.26.8", List.of("example.com/server", "offcut.dev/go")));
  }

  @Test
  void of_oldGoProgram_isOneWithoutDetails() throws IOException {
    Path file = written(elf(".go.buildinfo", information(0, "", "")));
    assertThat(GoProgram.of(file)).isEqualTo(new GoProgram("", List.of()));
  }

  @Test
  void of_otherFiles_isNull() throws IOException {
    assertThat(GoProgram.of(folder)).isNull();
    assertThat(GoProgram.of(folder.resolve("none"))).isNull();
    assertThat(GoProgram.of(written(new byte[0]))).isNull();
    assertThat(GoProgram.of(written("#!/bin/sh\n".repeat(20).getBytes(StandardCharsets.US_ASCII))))
        .isNull();
    assertThat(GoProgram.of(written(elf(".text", information(2, "go1.26", ""))))).isNull();
    assertThat(GoProgram.of(written(elf(".go.buildinfo", new byte[40])))).isNull();
    assertThat(GoProgram.of(Path.of(System.getProperty("java.home"), "bin", "java"))).isNull();
  }

  @Test
  void of_cutOffFile_isNull() throws IOException {
    byte[] whole = elf(".go.buildinfo", information(2, "go1.26.8", MODULES));
    for (int length = 0; length < whole.length - 20; length += 7) {
      byte[] cut = new byte[length];
      System.arraycopy(whole, 0, cut, 0, length);
      assertThat(GoProgram.of(written(cut))).as("%d bytes", length).isNull();
    }
  }

  /** Two pieces of heap, a mapping of one piece that something else has, and another mapping. */
  private Accountant process(boolean isGo) throws IOException {
    Files.writeString(folder.resolve("status"), "NSpid:\t1\n");
    Files.writeString(folder.resolve("stat"), "1 (a) S" + " 0".repeat(49) + "\n");
    Files.writeString(
        folder.resolve("smaps"),
        """
        1a14ec000000-1a14ec400000 ---p 0 00:00 0\s
        Rss: 0 kB
        1a14ec400000-1a14f2000000 rw-p 0 00:00 0\s
        Rss: 81920 kB
        1a14f2000000-1a14f4000000 ---p 0 00:00 0\s
        Rss: 0 kB
        7e0000000000-7e0000400000 rw-p 0 00:00 0\s
        Rss: 4096 kB
        7e0000400000-7e0004000000 ---p 0 00:00 0\s
        Rss: 0 kB
        7e1000001000-7e1000401000 rw-p 0 00:00 0\s
        Rss: 3072 kB
        """);
    Files.createDirectory(folder.resolve("task"));
    Files.createDirectories(folder.resolve("root/tmp"));
    Files.createSymbolicLink(folder.resolve("pagemap"), Path.of("/proc/self/pagemap"));
    written(elf(isGo ? ".go.buildinfo" : ".text", information(2, "go1.26.8", MODULES)));
    return new Accountant(folder);
  }

  @Test
  void account_heap_isKnownByItsPlace() throws IOException {
    Account account = process(true).take();
    assertThat(account.bytes(Part.GO_HEAP)).isEqualTo(80 * MIB);
    assertThat(account.resident()).isEqualTo(87 * MIB);
    assertThat(account.rows().stream().mapToLong(Account.Row::bytes).sum()).isEqualTo(87 * MIB);
  }

  @Test
  void account_withFigures_dividesTheHeap() throws IOException {
    Account account = process(true).take(new GoProgram.Figures(50 * MIB, 10 * MIB, 2 * MIB));
    assertThat(account.bytes(Part.GO_OBJECTS)).isEqualTo(50 * MIB);
    assertThat(account.bytes(Part.GO_STACKS)).isEqualTo(10 * MIB);
    assertThat(account.bytes(Part.GO_FREE)).isEqualTo(20 * MIB);
    assertThat(account.bytes(Part.GO_HEAP)).isZero();
    assertThat(account.bytes(Part.GO_RUNTIME)).isEqualTo(2 * MIB);
    assertThat(account.rows().stream().mapToLong(Account.Row::bytes).sum()).isEqualTo(87 * MIB);
  }

  /** The runtime counts what it has asked for; not all of that need be resident. */
  @Test
  void account_withFiguresBeyondWhatIsResident_staysBelow() throws IOException {
    Account account = process(true).take(new GoProgram.Figures(100 * MIB, MIB, 100 * MIB));
    assertThat(account.bytes(Part.GO_OBJECTS)).isEqualTo(79 * MIB);
    assertThat(account.bytes(Part.GO_STACKS)).isEqualTo(MIB);
    assertThat(account.bytes(Part.GO_FREE)).isZero();
    assertThat(account.bytes(Part.UNEXPLAINED)).isZero();
    assertThat(account.rows().stream().mapToLong(Account.Row::bytes).sum()).isEqualTo(87 * MIB);
  }

  @Test
  void account_ofAnotherProgram_hasNoGoHeap() throws IOException {
    assertThat(process(false).take().bytes(Part.GO_HEAP)).isZero();
  }
}
