package dev.offcut.fleet;

import dev.offcut.command.read.Failure;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ExitCode;

/**
 * What {@code s3://BUCKET/PREFIX} names.
 *
 * @param prefix without a slash at its ends; empty for a whole bucket
 */
public record S3Place(String bucket, String prefix) {
  /** What its URL begins with. */
  static final String SCHEME = "s3://";

  private static final Pattern URL =
      Pattern.compile(SCHEME + "([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])/*(?:/([^/].*?))?/*");

  /** Of a URL. */
  public static S3Place of(String url) throws Failure {
    Matcher parts = URL.matcher(url);
    if (!parts.matches()) {
      throw Failure.of(ExitCode.USAGE, url + " names no bucket; give s3://BUCKET/PATH");
    }
    return new S3Place(parts.group(1), parts.group(2) == null ? "" : parts.group(2));
  }

  public String url() {
    return SCHEME + bucket + (prefix.isEmpty() ? "" : "/" + prefix);
  }

  public String key(String name) {
    return prefix.isEmpty() ? name : prefix + "/" + name;
  }

  /** The name of a key of this place. */
  String name(String key) {
    return prefix.isEmpty() ? key : key.substring(prefix.length() + 1);
  }
}
