package dev.offcut.retrofit.stream;

import dev.offcut.agent.Messages;
import dev.offcut.agent.hooks.code.UnknownShapeException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites RMI's stream, when that is loaded before the JDK's: its class file is looked at before
 * its superclass is. Only calls change in it.
 *
 * <p><b>Threads.</b> It runs on one of its own: a class that is loaded or retransformed by a thread
 * that transforms another is not transformed. Nobody waits for it, as who reads holds what it may
 * need. Unlike the stream's, this transformer is asked again when anybody retransforms a class,
 * since the JVM then begins with the original.
 */
final class LoadedRetrofit implements ClassFileTransformer, Runnable {
  private final Instrumentation instrumentation;

  private LoadedRetrofit(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  /** Rewrites it once it is loaded. */
  static void start(Instrumentation instrumentation) {
    Runnable retrofit = new LoadedRetrofit(instrumentation);
    Thread thread = new Thread(null, retrofit, "offcut rmi", 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    thread.start();
  }

  @Override
  public void run() {
    try {
      instrumentation.addTransformer(this, true);
      instrumentation.retransformClasses(
          Class.forName(RmiClass.NAME.replace('/', '.'), false, null));
      Messages.note("RMI's stream, which was loaded before the agent, is rewritten");
    } catch (Throwable e) {
      StreamRetrofit.say("RMI's stream could not be rewritten (" + e + ")");
    }
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] file) {
    if (loader != null || name == null || !name.equals(RmiClass.NAME)) {
      return null;
    }
    try {
      return RmiClass.isRewritten(file) ? null : RmiClass.rewrite(file);
    } catch (UnknownShapeException e) {
      StreamRetrofit.say(name.replace('/', '.') + " has an unknown shape (" + e.getMessage() + ")");
    } catch (Throwable e) {
      StreamRetrofit.say(name.replace('/', '.') + " could not be rewritten (" + e + ")");
    }
    return null;
  }
}
