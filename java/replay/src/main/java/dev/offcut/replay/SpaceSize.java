package dev.offcut.replay;

import dev.offcut.replay.trace.ClassSpace;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The size of a class space as it is given: {@code 10M}, {@code 65536K}, {@code 1G}, bytes. */
final class SpaceSize implements ITypeConverter<Long> {
  private static final Pattern FORM = Pattern.compile("(\\d{1,12})([KMGkmg]?)");
  private static final String EXAMPLES = "; give a size such as 10M, 65536K or 1G";

  @Override
  public Long convert(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new TypeConversionException(text + " is not a size" + EXAMPLES);
    }
    long bytes = Long.parseLong(form.group(1)) << shift(form.group(2));
    if (bytes < ClassSpace.LEAST_BYTES) {
      throw new TypeConversionException(text + " is too small: a class space has at least 1M");
    }
    if (bytes > ClassSpace.MOST_BYTES) {
      throw new TypeConversionException(text + " is too large: a class space has at most 3G");
    }
    if (bytes % ClassSpace.UNIT_BYTES != 0) {
      long next = bytes / ClassSpace.UNIT_BYTES + 1;
      String good = next * (ClassSpace.UNIT_BYTES >> 10) + "K";
      throw new TypeConversionException(text + " is not a multiple of 64K; " + good + " is");
    }
    return bytes;
  }

  private static int shift(String unit) {
    return switch (unit) {
      case "K", "k" -> 10;
      case "M", "m" -> 20;
      case "G", "g" -> 30;
      default -> 0;
    };
  }
}
