package dev.offcut.agent.base;

import dev.offcut.agent.code.Constants;
import dev.offcut.agent.code.UnknownShapeException;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.invoke.MethodHandles.Lookup;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Puts helper classes into java.base, from where every class of the program sees them.
 *
 * <p><b>Why there.</b> A rewritten class may be in any class loader and in any module, and finds by
 * name only what its own loader finds. There are three ways to be found:
 *
 * <ul>
 *   <li>A jar appended to the bootstrap class path. A JVM 25 then takes no class of the application
 *       from its shared archive (AppCDS) any more, a JVM 17 still does; that costs the start of the
 *       program more than a helper is worth. Loaders that ask the bootstrap loader for {@code
 *       java.*} only, as OSGi's, do not find it at all.
 *   <li>A copy in each loader, beside the rewritten class. To define it takes a class of the same
 *       package that is loaded already, which there is none of while the first is being loaded; or
 *       an initializer that carries the copies along. Each copy is compiled by itself.
 *   <li>One copy in a package that java.base exports. Every module reads java.base, and every class
 *       loader must ask its parents for {@code java.*}, since it cannot define such a class.
 *       Nothing is appended, and nothing of the program is opened, asked or changed.
 * </ul>
 *
 * <p>So it is the third. The build moves a helper there: {@code Name} becomes, for one, {@code
 * java.util.concurrent.OffcutName} in the agent's jar, and its stand-ins for classes of the JDK
 * become those classes. Helpers hold no static reference to a program's object, so that its class
 * loaders can go.
 *
 * <p><b>What is opened</b> is that one package, to a module that is forgotten at once: see {@link
 * Access}. The program gets no further into java.base than before.
 *
 * <p><b>Threads.</b> Any, without a lock: this runs while classes are being loaded. Of two that
 * define the same helper one is first, and the other goes on with what is there.
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
    Lookup lookup = access.lookup(neighbour);
    for (String name : helpers.names()) {
      byte[] file = Helpers.file(name);
      define(lookup, name, name.endsWith("Settings") ? withSettings(file, settings) : file);
    }
  }

  private static void define(Lookup lookup, String name, byte[] file)
      throws ReflectiveOperationException {
    try {
      lookup.defineClass(file);
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
      ByteArrayOutputStream bytes = new ByteArrayOutputStream(2 * file.length);
      DataOutputStream out = new DataOutputStream(bytes);
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
          out.writeUTF(value);
          copied = constants.textTo(index);
        }
      }
      out.write(file, copied, file.length - copied);
      return bytes.toByteArray();
    } catch (UnknownShapeException e) {
      throw new IOException("no class file", e);
    }
  }
}
