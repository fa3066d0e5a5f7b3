package dev.offcut.agent.rules;

import com.sun.tools.attach.VirtualMachine;
import java.util.ArrayList;
import java.util.List;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.implementation.SuperMethodCall;
import net.bytebuddy.matcher.ElementMatchers;
import org.springframework.cglib.proxy.Enhancer;
import org.springframework.cglib.proxy.MethodInterceptor;
import org.springframework.objenesis.ObjenesisStd;

/**
 * Opens objects of subclasses that libraries make while it runs: of each 100, of which it closes
 * half and forgets half. With the agent's jar and options as arguments, it opens some objects, and
 * attaches the agent to itself before the rest.
 */
public final class MadeProgram {
  private static final int EACH = 100;

  private MadeProgram() {}

  /** What has to be closed. */
  public static class Thing implements AutoCloseable {
    /** Makes one. */
    public Thing() {
      Plants.DONE.incrementAndGet();
    }

    @Override
    public void close() {
      Plants.DONE.incrementAndGet();
    }
  }

  /** Has one method, as a lambda has. */
  public interface Single extends AutoCloseable {
    @Override
    void close();
  }

  private interface Making {
    AutoCloseable make(int number) throws Exception;
  }

  public static void main(String[] args) throws Exception {
    if (args.length > 0) {
      attach(args[0], args[1]);
      each(number -> new Thing());
      return;
    }
    List<Class<? extends Thing>> subclasses = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      subclasses.add(byteBuddy());
    }
    each(number -> subclasses.get(number % 5).getConstructor().newInstance());
    each(number -> cglib());
    each(number -> neverConstructed(subclasses.get(number % 5)));
    each(number -> lambda(number));
  }

  private static void attach(String jar, String options) throws Exception {
    List<Thing> before = new ArrayList<>();
    for (int i = 0; i < EACH; i++) {
      before.add(new Thing());
    }
    VirtualMachine self = VirtualMachine.attach(String.valueOf(ProcessHandle.current().pid()));
    self.loadAgent(jar, options);
    self.detach();
    before.forEach(Thing::close);
    before.forEach(Thing::close);
  }

  private static void each(Making making) throws Exception {
    for (int i = 0; i < EACH; i++) {
      AutoCloseable made = making.make(i);
      if (i < EACH / 2) {
        made.close();
      }
    }
  }

  /** Each is a class of its own, in a loader of its own. */
  private static Class<? extends Thing> byteBuddy() {
    return new ByteBuddy()
        .subclass(Thing.class)
        .method(ElementMatchers.named("close"))
        .intercept(SuperMethodCall.INSTANCE)
        .make()
        .load(Thing.class.getClassLoader())
        .getLoaded();
  }

  private static Thing cglib() {
    return (Thing)
        Enhancer.create(
            Thing.class,
            (MethodInterceptor)
                (object, method, arguments, proxy) -> proxy.invokeSuper(object, arguments));
  }

  /** As Spring makes proxies: no constructor runs, so nothing is opened. */
  private static AutoCloseable neverConstructed(Class<? extends Thing> type) {
    return new ObjenesisStd().newInstance(type);
  }

  private static Single lambda(int number) {
    return () -> Plants.DONE.addAndGet(number);
  }
}
