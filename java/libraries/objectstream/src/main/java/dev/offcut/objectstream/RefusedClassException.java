package dev.offcut.objectstream;

import java.io.InvalidClassException;

/** Thrown if a stream contains a class that its policy or the JVM-wide filter does not allow. */
public final class RefusedClassException extends InvalidClassException {
  private static final long serialVersionUID = 1;

  /** The refused name, shortened, with unprintable characters escaped. */
  private final String className;

  RefusedClassException(String className, String why) {
    super(ClassName.printable(className) + ": " + why);
    this.className = ClassName.printable(className);
  }

  /** Text of a class that is missing in the policy. */
  static RefusedClassException notAllowed(String name) {
    String group = JdkTypes.setting(name);
    return new RefusedClassException(
        name,
        "not allowed in this stream; if you trust it, add "
            + (group != null ? group : settings(ClassName.printable(name)))
            + " to the policy");
  }

  private static String settings(String name) {
    return "allow(" + name.replace('$', '.') + ".class) or allowNames(\"" + name + "\")";
  }

  /**
   * Returns the name of the refused class, as the stream states it.
   *
   * @return the name, shortened, with unprintable characters escaped
   */
  public String className() {
    return className;
  }
}
