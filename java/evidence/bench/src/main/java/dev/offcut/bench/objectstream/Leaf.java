package dev.offcut.bench.objectstream;

import java.io.Serializable;

/**
 * What the graphs are made of. The classes are generated for the run, a thousand of them that
 * differ in nothing but their names, and lie on the class path of the child.
 */
public interface Leaf extends Serializable {
  /** What it was made with. */
  int id();

  /** The binary name of the class of a number. */
  static String className(int number) {
    return Leaf.class.getName().concat(Integer.toString(number));
  }

  /** An object of the class of a number. */
  static Leaf create(int number, int id) throws ReflectiveOperationException {
    Class<? extends Leaf> type = Class.forName(className(number)).asSubclass(Leaf.class);
    return type.getConstructor(int.class).newInstance(id);
  }
}
