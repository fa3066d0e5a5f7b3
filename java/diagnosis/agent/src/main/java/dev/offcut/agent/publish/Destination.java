package dev.offcut.agent.publish;

import dev.offcut.agent.Messages;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;

/**
 * The file that a recording goes to. As in names of Flight Recorder, {@code %p} is the PID, {@code
 * %t} the time and {@code %%} a percent sign.
 *
 * <p>A program may start JVMs that are given the same options: whichever comes later does not
 * replace what another wrote, or will write. The file is there from the start, so that they see it.
 */
final class Destination {
  private static final String ENDING = ".jfr";

  private Destination() {}

  /** Makes the file, with the PID in its name if one is there that may not be replaced. */
  static Path claim(String name, boolean overwrite) throws IOException {
    Path path = Path.of(expanded(name));
    try {
      return Files.createFile(path);
    } catch (FileAlreadyExistsException e) {
      if (overwrite) {
        return path;
      }
    }
    Path other = Files.createFile(withPid(path));
    Messages.tell(path + " exists already; this JVM is recorded into " + other);
    return other;
  }

  private static Path withPid(Path path) {
    String text = path.toString();
    String stem = text.endsWith(ENDING) ? text.substring(0, text.length() - ENDING.length()) : text;
    return Path.of(stem + "." + ProcessHandle.current().pid() + ENDING);
  }

  private static String expanded(String name) {
    StringBuilder text = new StringBuilder();
    int rest = 0;
    for (int i = name.indexOf('%'); i >= 0 && i + 1 < name.length(); i = name.indexOf('%', rest)) {
      text.append(name, rest, i);
      rest = i + 2;
      switch (name.charAt(i + 1)) {
        case 'p' -> text.append(ProcessHandle.current().pid());
        case 't' -> appendTime(text);
        case '%' -> text.append('%');
        default -> text.append(name, i, rest);
      }
    }
    text.append(name, rest, name.length());
    return text.toString();
  }

  /** As 2026_11_21_09_05_00. */
  private static void appendTime(StringBuilder text) {
    LocalDateTime now = LocalDateTime.now(ZoneId.systemDefault());
    text.append(now.getYear());
    int[] rest = {
      now.getMonthValue(), now.getDayOfMonth(), now.getHour(), now.getMinute(), now.getSecond()
    };
    for (int part : rest) {
      text.append(part < 10 ? "_0" : "_").append(part);
    }
  }
}
