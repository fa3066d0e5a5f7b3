package dev.offcut.objectstream;

import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** Which classes pass. Asked by name before a class is loaded, and by class by the filter. */
final class Gate {
  /** In the names of hidden classes of lambdas, after that of the class they are written in. */
  private static final String OF_LAMBDA = "$$Lambda";

  private final AllowList list;
  private final @Nullable Learning learning;

  Gate(AllowList list, @Nullable Learning learning) {
    this.list = list;
    this.learning = learning;
  }

  /** Before loading. The filter gets the class, so there is nothing to learn yet. */
  void checkName(ClassName name) throws RefusedClassException {
    if (learning == null && name.primitive() == null && !list.allowsClass(name.element())) {
      throw refused(name.element());
    }
  }

  /** Before loading the interfaces of a proxy. One without any is none that somebody allowed. */
  void checkProxy(String[] interfaces) throws RefusedClassException {
    if (learning == null && interfaces.length == 0) {
      throw new RefusedClassException(
          JdkTypes.PROXY,
          "a proxy without interfaces; no policy allows it: refuse whoever sent it");
    }
    for (String name : interfaces) {
      if (learning == null && !list.allowsProxy(name)) {
        throw refusedProxy(name);
      }
    }
  }

  /** Every class that a stream is about to use, whatever way it came. */
  void check(Class<?> type) throws RefusedClassException {
    Class<?> element = ClassName.element(type);
    if (element.isPrimitive()) {
      return;
    }
    if (Proxy.isProxyClass(element)) {
      for (Class<?> implemented : element.getInterfaces()) {
        checkProxy(implemented.getName());
      }
    } else if (element.isHidden()) {
      checkLambda(element.getName());
    } else if (!list.allowsClass(element.getName())) {
      learn(element.getName());
    }
  }

  private void checkProxy(String name) throws RefusedClassException {
    if (!list.allowsProxy(name)) {
      if (learning == null) {
        throw refusedProxy(name);
      }
      learning.learn(AllowList.PROXY, name);
    }
  }

  private void checkLambda(String hidden) throws RefusedClassException {
    int end = hidden.indexOf(OF_LAMBDA);
    String capturing = end < 0 ? hidden : hidden.substring(0, end);
    if (end < 0 || !list.allowsLambda(capturing)) {
      if (learning == null || end < 0) {
        throw refusedLambda(capturing);
      }
      learning.learn(AllowList.LAMBDA, capturing);
    }
  }

  private void learn(String name) throws RefusedClassException {
    if (learning == null) {
      throw refused(name);
    }
    if (!name.equals(JdkTypes.LAMBDA) && !name.equals(JdkTypes.PROXY)) {
      learning.learn("", name);
    }
  }

  private static RefusedClassException refused(String name) {
    if (name.equals(JdkTypes.LAMBDA)) {
      return new RefusedClassException(
          name,
          "a lambda, not allowed in this stream; if you trust it, add allowLambdas(…) to the"
              + " policy, with the classes that lambdas are written in");
    }
    if (name.equals(JdkTypes.PROXY)) {
      return refusedProxy(name);
    }
    return RefusedClassException.notAllowed(name);
  }

  private static RefusedClassException refusedProxy(String name) {
    return new RefusedClassException(
        name,
        "a proxy of it is not allowed in this stream; if you trust it, add allowProxies("
            + ClassName.printable(name).replace('$', '.')
            + ".class) to the policy, and allow(…) the class of its invocation handler");
  }

  private static RefusedClassException refusedLambda(String capturing) {
    return new RefusedClassException(
        capturing,
        "a lambda written in it is not allowed in this stream; if you trust it, add allowLambdas("
            + ClassName.printable(capturing).replace('$', '.')
            + ".class) to the policy");
  }
}
