package dev.offcut.command.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KnownLibrariesTest {
  private static final String JDK = "java.nio.Bits.reserve(Bits.java:9)";
  private static final String NETTY = "io.netty.buffer.PoolArena.allocate(PoolArena.java:3)";
  private static final String OWN = "com.acme.Orders.load(Orders.java:88)";
  private static final String MAIN = "com.acme.Main.main(Main.java:1)";

  @ParameterizedTest
  @CsvSource({
    "java.nio.Bits.reserve(Bits.java:9), the JDK",
    "org.rocksdb.RocksDB.get(RocksDB.java:7), RocksDB",
    "org.apache.tomcat.util.Poller.run(Poller.java:7), Apache Tomcat",
    "com.sun.jna.Memory.<init>(Memory.java:2), JNA"
  })
  void of_aFrameOfALibrary_isItsName(String frame, String library) {
    assertThat(KnownLibraries.of(frame)).isEqualTo(library);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "com.acme.Orders.load(Orders.java:88)",
        "nettyless.Main.main(Main.java:1)",
        "io.nettyless.Main.main(Main.java:1)",
        "javax0.Main.main(Main.java:1)",
        "org.apache.acme.Main.main(Main.java:1)",
        "com.sun.acme.Main.main(Main.java:1)",
        "Main.main(Main.java:1)",
        "orders.Load(db.sorted.go:12)"
      })
  void of_aFrameOfTheProgram_isNone(String frame) {
    assertThat(KnownLibraries.of(frame)).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "rocksdb::Arena::Arena(librocksdb.so), librocksdb.so",
    "leveldb::NewDBIterator(libleveldbjni-64-1.8), libleveldbjni-64-1.8",
    "take.part.0(libleveldbjni-64-1.8), libleveldbjni-64-1.8",
    "take.part.0(jna.tmp), jna.tmp",
    "?(jna.tmp), jna.tmp",
    "take(library), library",
    "take.part.0(libz.so.1.3), libz.so.1.3",
    "take(libz.1.dylib), libz.1.dylib",
    "?(?), ?"
  })
  void of_aNativeFrame_isTheFileOfItsLibrary(String frame, String library) {
    assertThat(KnownLibraries.of(frame)).isEqualTo(library);
  }

  @Test
  void own_isTheFirstOfTheProgram() {
    assertThat(KnownLibraries.own(List.of(OWN, MAIN))).isZero();
    assertThat(KnownLibraries.own(List.of(JDK, NETTY, OWN, MAIN))).isEqualTo(2);
    assertThat(KnownLibraries.own(List.of(NETTY, OWN, NETTY, MAIN))).isEqualTo(1);
  }

  @Test
  void own_whereThereIsNone_isTheFirst() {
    assertThat(KnownLibraries.own(List.of(NETTY, JDK))).isZero();
    assertThat(KnownLibraries.own(List.of())).isZero();
  }
}
