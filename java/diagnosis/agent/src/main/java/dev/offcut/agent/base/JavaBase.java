package dev.offcut.agent.base;

import dev.offcut.agent.hooks.code.Constants;
import dev.offcut.agent.hooks.code.UnknownShapeException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Puts helper classes into java.base, where every class of the program can see them.
 *
 * <p><b>Why there.</b> A rewritten class may be in any class loader and in any module. By name it
 * finds only what its own loader finds. So a helper class could be in three places:
 *
 * <ul>
 *   <li>In a jar that is appended to the bootstrap class path. Then a JVM 25 no longer takes
 *       classes of the application from its shared archive (AppCDS); a JVM 17 still does. That
 *       delays the start of the program by more than a helper is worth. Class loaders that ask the
 *       bootstrap loader only for {@code java.*}, as those of OSGi do, do not find the helper at
 *       all.
 *   <li>In each class loader, as a copy beside the rewritten class. To define a copy, a class of
 *       the same package must be loaded already. While the first class of a package is being
 *       loaded, there is none; otherwise an initializer has to carry the copies along. The JVM
 *       compiles each copy on its own.
 *   <li>In a package that java.base exports, as one copy. Every module reads java.base. Every class
 *       loader must ask its parents for {@code java.*}, since it cannot define such a class.
 *       Nothing is appended, and nothing of the program is opened, asked or changed.
 * </ul>
 *
 * <p>The third place is used. The build moves the helpers there: a class {@code Name} becomes
 * {@code java.util.concurrent.OffcutName} in the agent's jar, for example, and its stand-ins for
 * classes of the JDK become those classes. Helpers have no static reference to an object of the
 * program, so that the program's class loaders can be unloaded.
 *
 * <p><b>Opened packages.</b> Only the package of the helper is opened, to a module that is dropped
 * at once: see {@link Access}. The program gets no further into java.base than before.
 *
 * <p><b>Threads.</b> Any thread, without a lock: this code runs while classes are being loaded. If
 * two threads define the same helper, one is first, and the other uses that class.
 */
public final class JavaBase {
  /** In front of the text that a setting replaces. */
  private static final String SETTING = "offcut setting ";

  private JavaBase() {}

  /**
   * Defines helpers beside a class of java.base, unless they are there already.
   *
   * @param settings the values of the settings of this group, by name
   */
  public static void define(
      Access access, Class<?> neighbour, Helpers helpers, Map<String, String> settings)
      throws IOException, ReflectiveOperationException {
    for (String name : helpers.names()) {
      byte[] file = Helpers.file(name);
      define(
          access, neighbour, name, name.endsWith("Settings") ? withSettings(file, settings) : file);
    }
  }

  private static void define(Access access, Class<?> neighbour, String name, byte[] file)
      throws IOException, ReflectiveOperationException {
    try {
      access.define(neighbour, file);
    } catch (LinkageError e) {
      try {
        Class.forName(name.replace('/', '.'), false, null);
      } catch (ClassNotFoundException missing) {
        missing.addSuppressed(e);
        throw missing;
      }
    }
  }

  /** The class file of one helper, as a setting of others: a character a byte. */
  public static String text(Helpers helper) throws IOException {
    return new String(Helpers.file(helper.names().get(0)), StandardCharsets.ISO_8859_1);
  }

  /** Replaces the texts that stand for settings by their values. All else is copied. */
  static byte[] withSettings(byte[] file, Map<String, String> settings) throws IOException {
    try {
      Constants constants = Constants.of(file);
      // No DataOutputStream, which would initialize a dozen classes of the JDK's.
      ByteArrayOutputStream out = new ByteArrayOutputStream(2 * file.length);
      int copied = 0;
      for (int index = 1; index < constants.count(); index++) {
        if (constants.isText(index) && constants.isAt(constants.textFrom(index), SETTING)) {
          String name = constants.text(index).substring(SETTING.length());
          String value = settings.get(name);
          if (value == null) {
            throw new IOException("no value for the setting " + name);
          }
          int from = constants.textFrom(index) - 2; // its length
          out.write(file, copied, from - copied);
          byte[] text = value.getBytes(StandardCharsets.UTF_8);
          out.write(text.length >> 8);
          out.write(text.length);
          out.writeBytes(text);
          copied = constants.textTo(index);
        }
      }
      out.write(file, copied, file.length - copied);
      return out.toByteArray();
    } catch (UnknownShapeException e) {
      throw new IOException("no class file", e);
    }
  }
}
