package dev.offcut.objectstream;

import java.io.InvalidClassException;

/** A stream asked for a class that its policy, or the JVM-wide filter, does not allow. */
public final class RefusedClassException extends InvalidClassException {
  private static final long serialVersionUID = 1;

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

  /** What was asked for. It is what the stream says, shortened, unprintable characters escaped. */
  public String className() {
    return className;
  }
}
