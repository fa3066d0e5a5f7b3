package dev.offcut.agent.publish;

import dev.offcut.agent.base.Access;
import dev.offcut.resident.AccountJson;
import dev.offcut.resident.Accountant;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where the system refuses the command to read the program's memory, the program reads its own, and
 * gives the account alone: what was in memory never leaves the process. The command asks by an
 * empty file beside the tables, and the answer lies there as {@code offcut.accounts/1}.
 *
 * <p>All classes of it are loaded at the first question, and not before. One account at a time.
 */
public final class OwnAccount {
  /** Behind the PID, as {@link TableFolder#ENDING} is. */
  static final String QUESTION = ".asked";

  static final String ANSWER = ".account";

  private static final String COMMANDS = "com.sun.management.internal.DiagnosticCommandImpl";

  /** Its initializer loads the library that has the native methods. */
  private static final String LIBRARY = "com.sun.management.internal.PlatformMBeanProviderImpl";

  private final Instrumentation instrumentation;

  private @Nullable Accountant accountant;

  public OwnAccount(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  static Path beside(Path tables, String ending) {
    String name = String.valueOf(tables.getFileName());
    return tables.resolveSibling(
        name.substring(0, name.length() - TableFolder.ENDING.length()) + ending);
  }

  /** Answers, if somebody asks. */
  synchronized void look(Path tables) throws IOException {
    Path question = beside(tables, QUESTION);
    if (!Files.exists(question)) {
      return;
    }
    Files.deleteIfExists(question);
    Path answer = beside(tables, ANSWER);
    Path begun = beside(tables, ANSWER + ".begun");
    Files.deleteIfExists(begun);
    Files.createFile(
        begun, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.write(begun, take().getBytes(StandardCharsets.UTF_8));
    Files.move(begun, answer, StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Takes one, as a file of accounts. Without an account if it fails: the command then has what it
   * sees from outside.
   */
  synchronized String take() {
    try {
      Accountant taker = accountant;
      if (taker == null) {
        taker = Accountant.ofThisProcess(jvm());
        accountant = taker;
      }
      return AccountJson.file(
          List.of(AccountJson.of(Instant.ofEpochMilli(SteadyClock.now()), false, taker.take())));
    } catch (IOException | RuntimeException | LinkageError e) {
      return AccountJson.file(List.of());
    }
  }

  /**
   * Who answers what {@code jcmd} asks. The way of the platform's beans would cost the program half
   * a second of CPU; this is what they call in the end.
   */
  private Function<String, @Nullable String> jvm() {
    try {
      ClassLoader loader = ClassLoader.getPlatformClassLoader();
      Class.forName(LIBRARY, true, loader);
      Class<?> commands = Class.forName(COMMANDS, true, loader);
      Lookup lookup = Access.to(instrumentation, commands).lookup(commands);
      Class<?> bean = Class.forName("com.sun.management.DiagnosticCommandMBean", true, loader);
      Object all =
          lookup
              .findStatic(commands, "getDiagnosticCommandMBean", MethodType.methodType(bean))
              .invoke();
      MethodHandle execute =
          lookup
              .findVirtual(
                  commands,
                  "executeDiagnosticCommand",
                  MethodType.methodType(String.class, String.class))
              .bindTo(all);
      return command -> answer(execute, command);
    } catch (Throwable e) {
      return command -> null; // a JVM without the module, or of another form
    }
  }

  private static @Nullable String answer(MethodHandle execute, String command) {
    try {
      return (String) execute.invoke(command);
    } catch (Throwable e) {
      return null; // it does not know the command
    }
  }
}
