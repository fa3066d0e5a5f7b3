package dev.offcut.resident;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;
import javax.management.JMException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * Asks the JVM that this code runs in. Never on its socket: from JDK 25 on, the JVM writes long
 * answers to the socket while it holds all threads at a safepoint. The thread that reads is one of
 * them, so once the socket's buffer were full, the JVM would hang for good.
 */
final class OwnJvm implements JvmRanges.Asked {
  private static final String COMMANDS = "com.sun.management:type=DiagnosticCommand";

  /** Null if this JVM does not know the command. */
  @Override
  public @Nullable String answer(String command) {
    String[] words = command.split(" ", -1);
    boolean isBare = words.length == 1;
    Object[] arguments = {Arrays.copyOfRange(words, 1, words.length)};
    String[] signature = {String[].class.getName()};
    try {
      Object answer =
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName(COMMANDS),
                  operation(words[0]),
                  isBare ? null : arguments,
                  isBare ? null : signature);
      return String.valueOf(answer);
    } catch (JMException | RuntimeException e) {
      return null;
    }
  }

  /** {@code VM.native_memory} is {@code vmNativeMemory} there. */
  static String operation(String command) {
    int dot = command.indexOf('.');
    StringBuilder name = new StringBuilder(command.substring(0, dot).toLowerCase(Locale.ROOT));
    for (String word : command.substring(dot + 1).split("_", -1)) {
      name.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
    }
    return name.toString();
  }
}
