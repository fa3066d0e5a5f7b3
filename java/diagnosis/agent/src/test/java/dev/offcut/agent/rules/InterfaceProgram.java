package dev.offcut.agent.rules;

/** Opens objects of classes by name, and closes some of them. */
final class InterfaceProgram {
  private InterfaceProgram() {}

  /** {@code names}: of each class ten objects are opened, and four closed. */
  public static void main(String[] names) throws Exception {
    for (String name : names) {
      for (int i = 0; i < 10; i++) {
        Object made = Class.forName(name).getConstructor().newInstance();
        if (i < 4) {
          ((AutoCloseable) made).close();
        }
      }
    }
  }
}
