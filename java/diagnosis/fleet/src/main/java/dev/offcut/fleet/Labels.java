package dev.offcut.fleet;

import dev.offcut.command.read.Failure;
import java.io.Serializable;
import java.util.regex.Pattern;

/**
 * What the one who adds sources says of them.
 *
 * @param host the name of the machine, or a hash of it
 * @param withArguments whether arguments of the program and folders of files may leave the machine
 */
public record Labels(String service, String version, String host, boolean withArguments)
    implements Serializable {
  /** What may be in the name of a folder everywhere. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

  /** Refuses names that cannot be in the name of a folder. */
  public Labels check() throws Failure {
    check("--service", service);
    check("--version", version);
    check("--host", host);
    return this;
  }

  private static void check(String option, String value) throws Failure {
    if (!NAME.matcher(value).matches()) {
      throw Failure.of(
          2,
          ("%s %s has other characters than letters, digits, dots, dashes and underscores,"
                  + " or more than 100; choose another name")
              .formatted(option, value));
    }
  }

  /** The same, with a hash of the host's name in its place. */
  public Labels hashed() {
    String hash = new Hash().add("host").add(host).digits(12);
    return new Labels(service, version, "host-" + hash, withArguments);
  }
}
