package dev.offcut.examples.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Shares are read in three forms, and exactly kept. */
final class ShareTest {
  private final Share.Converter converter = new Share.Converter();

  @ParameterizedTest
  @CsvSource({"1%, 500", "0.5%, 250", "0.01, 500", "100%, 50000", "0, 0", "0%, 0", "33 %, 16500"})
  void takes_ofManyIndices_exactlyTheShare(String text, long expected) {
    Share.Part part = converter.convert(text).of(50_000);
    assertThat(LongStream.range(0, 50_000).filter(part::takes).count()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 127, 500_000, 499_979, Integer.MAX_VALUE})
  void of_anyTotal_stepReachesAll(long total) {
    Share.Part part = converter.convert("1%").of(total);
    assertThat(part.count()).isEqualTo(total / 100);
    assertThat(BigInteger.valueOf(part.step()).gcd(BigInteger.valueOf(total)))
        .isEqualTo(BigInteger.ONE);
  }

  @Test
  void takes_onePercent_meetsEverySamplerOfEach128th() {
    Share.Part part = converter.convert("1%").of(500_000);
    Map<Long, Long> byRemainder =
        LongStream.range(0, 500_000)
            .filter(part::takes)
            .boxed()
            .collect(Collectors.groupingBy(i -> i % 128, Collectors.counting()));
    assertThat(byRemainder).hasSize(128);
    assertThat(byRemainder.values()).allMatch(count -> count > 10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "5", "101%", "-1%", "-0.1", "one", "", "%", "0.0000000001", "1e-12"})
  void convert_noShare_isRefused(String text) {
    assertThatThrownBy(() -> converter.convert(text)).hasMessageContaining("is not a share");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1%", "0.5%", "0.01"})
  void convert_aShare_keepsItsText(String text) {
    assertThat(converter.convert(text).text()).isEqualTo(text);
  }
}
