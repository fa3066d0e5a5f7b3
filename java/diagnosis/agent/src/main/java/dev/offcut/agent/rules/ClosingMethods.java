package dev.offcut.agent.rules;

import dev.offcut.agent.base.concurrent.Closeables;
import dev.offcut.agent.hooks.code.UnknownShapeException;
import dev.offcut.rules.Rule;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The methods that close objects of watched classes: whether a class has them, and where it
 * inherits them from. For any thread that loads a class.
 */
final class ClosingMethods {
  private final Watching watching;
  private final WatchedRows rows;

  /** Classes that got a method when they were loaded, and have to keep it. */
  private final Set<String> bridged = ConcurrentHashMap.newKeySet();

  /** Methods that close and have code in an interface: its name, and the classes that have them. */
  private final Map<String, Set<String>> inheriting = new ConcurrentHashMap<>();

  ClosingMethods(Watching watching, WatchedRows rows) {
    this.watching = watching;
    this.rows = rows;
  }

  /**
   * Looks whether a class has what closes and opens it. Where it inherits a method from a class
   * that is not watched, it gets one of its own, which says so and calls that.
   */
  void check(
      WatchedCode code,
      @Nullable ClassLoader loader,
      @Nullable ProtectionDomain domain,
      boolean isLoaded,
      Rule rule)
      throws UnknownShapeException {
    if (code.isInterface() || code.isForAllBelow()) {
      return; // the classes below have it, or need none
    }
    Met above = watching.known(code.superName());
    if (above != null && rule.equals(above.rule())) {
      // The class above has it, unless that is abstract and an interface of this one has.
      for (String spec : rule.closes()) {
        if (!code.declares(spec)
            && !code.interfaces().isEmpty()
            && Parents.inherited(code.superName(), spec, loader, domain) == null) {
          isDefault(code, spec, loader, domain);
        }
      }
      return;
    }
    boolean isClosed = false;
    for (String spec : rule.closes()) {
      isClosed |= has(code, spec, loader, domain, isLoaded);
    }
    if (!isClosed && !code.isAbstract()) {
      throw new UnknownShapeException(
          "it has no method " + String.join(" or ", rule.closes()) + noMethod(rule));
    }
    boolean isOpened = rule.opens().contains(Rule.CONSTRUCTORS) || code.isAbstract();
    for (String opener : rule.opens()) {
      String spec = WatchedCode.method(opener);
      isOpened |=
          code.declares(spec) || Parents.inherited(code.superName(), spec, loader, domain) != null;
    }
    if (!isOpened) {
      throw new UnknownShapeException(
          "it has no method " + String.join(" or ", rule.opens()) + " that opens it");
    }
  }

  private static String noMethod(Rule rule) {
    return rule.from().startsWith("--watch ")
        ? " without parameters; name the one that closes it, as in --watch CLASS#METHOD"
        : " that closes it; name the one that does";
  }

  /** Whether a class has a method that closes it, or gets one. */
  private boolean has(
      WatchedCode code,
      String spec,
      @Nullable ClassLoader loader,
      @Nullable ProtectionDomain domain,
      boolean isLoaded)
      throws UnknownShapeException {
    if (code.declares(spec)) {
      return true;
    }
    Parents.Inherited method = Parents.inherited(code.superName(), spec, loader, domain);
    if (method == null) {
      return isDefault(code, spec, loader, domain);
    }
    Met owner = watching.known(method.owner());
    Rule its = owner == null ? null : owner.rule();
    if (its == null || !its.closes().contains(spec)) {
      addBridge(code, method, isLoaded);
    }
    return true;
  }

  /** Whether it has a method of an interface. Each that it may have must have been rewritten. */
  private boolean isDefault(
      WatchedCode code,
      String spec,
      @Nullable ClassLoader loader,
      @Nullable ProtectionDomain domain)
      throws UnknownShapeException {
    List<Parents.Inherited> methods = new ArrayList<>();
    for (String one : code.interfaces()) {
      Parents.addDefaultMethods(methods, one, spec, loader, domain);
    }
    for (Parents.Inherited method : methods) {
      Met owner = watching.known(method.owner());
      Rule its = owner == null ? null : owner.rule();
      if (its == null || !its.closes().contains(spec)) {
        throw notWatched(method);
      }
      inheriting
          .computeIfAbsent(method.owner(), made -> ConcurrentHashMap.newKeySet())
          .add(code.name());
      WatchedRows.Row row = rows.get(method.owner().replace('/', '.'));
      if (row != null
          && (row.state().equals(WatchedRows.NOT_UNDERSTOOD)
              || row.state().equals(WatchedRows.NOT_REWRITTEN))) {
        throw new UnknownShapeException(notRewritten(method.owner()));
      }
    }
    return !methods.isEmpty();
  }

  private static UnknownShapeException notWatched(Parents.Inherited method) {
    return new UnknownShapeException(
        "it inherits "
            + method.name()
            + "() from "
            + method.owner().replace('/', '.')
            + ", which is not watched; watch that class");
  }

  private static String notRewritten(String owner) {
    return owner.replace('/', '.') + " declares the method that closes it, and is not rewritten";
  }

  /**
   * What closes the classes below an interface is not seen: none of their objects counts. The JVM
   * loads an interface before there are objects of a class that has its methods.
   */
  void leaveOutBelow(String name) {
    for (String below : inheriting.getOrDefault(name, Set.of())) {
      String binary = below.replace('/', '.');
      Closeables.leaveOut(binary);
      WatchedRows.Row row = rows.get(binary);
      if (row != null) {
        rows.put(
            row.rule(), binary, WatchedRows.NOT_COUNTED, row.detail() + "; " + notRewritten(name));
      }
    }
  }

  private void addBridge(WatchedCode code, Parents.Inherited method, boolean isLoaded)
      throws UnknownShapeException {
    if ((isLoaded && !bridged.contains(code.name())) || method.isFinal()) {
      throw notWatched(method);
    }
    code.addBridge(method.name(), method.type());
    bridged.add(code.name());
  }
}
