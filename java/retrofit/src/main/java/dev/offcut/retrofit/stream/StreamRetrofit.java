package dev.offcut.retrofit.stream;

import dev.offcut.agent.Messages;
import dev.offcut.agent.base.Access;
import dev.offcut.agent.base.Helpers;
import dev.offcut.agent.base.JavaBase;
import dev.offcut.agent.hooks.code.UnknownShapeException;
import dev.offcut.retrofit.base.io.KnownCollections;
import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites ObjectInputStream when it is loaded: a program that reads no stream pays for nothing.
 *
 * <p>A class that is loaded already cannot get a new field. Then all is left as it is. So is what
 * has another shape than the known ones. Either is said in one line, nothing is thrown.
 *
 * <p><b>Other agents.</b> What is made of a class as it is loaded is what other agents are given
 * when they retransform it, and what they made of it before is what is rewritten here. An agent
 * that redefines a rewritten class brings bytes without what was added, which the JVM would refuse:
 * they are rewritten likewise. Only calls are exchanged in the methods that others change most.
 *
 * <p>Called by the JVM on the threads that load classes, on many at a time.
 */
public final class StreamRetrofit implements ClassFileTransformer {
  private static final Class<?> NEIGHBOUR = InputStream.class;

  /** What object streams call. */
  public static final Helpers HELPERS =
      new Helpers(
          "java/io/Offcut",
          "StreamSettings",
          "LatestLoader",
          "Memo",
          "LoaderClasses",
          "Overrides",
          "StreamCounts",
          "KnownCollections",
          "ElementStreams");

  /** The class file that object streams define when the first collection is read. */
  public static final Helpers ELEMENTS = new Helpers("java/io/Offcut", "ElementStream");

  private final int verify;
  private final Instrumentation instrumentation;
  private volatile boolean rewritten;

  private StreamRetrofit(Instrumentation instrumentation, int verify) {
    this.instrumentation = instrumentation;
    this.verify = verify;
  }

  /**
   * Rewrites what is loaded from now on; what that is, in words, or null if it is too late.
   *
   * @param verify every how manieth answer is verified; 0: none is
   */
  public static @Nullable String install(Instrumentation instrumentation, int verify) {
    StreamRetrofit retrofit = new StreamRetrofit(instrumentation, verify);
    // Not one that retransforms: what it makes of a class stays when another agent retransforms.
    instrumentation.addTransformer(retrofit);
    if (isLoaded(instrumentation) && !retrofit.rewritten) {
      instrumentation.removeTransformer(retrofit);
      say("ObjectInputStream was loaded before the agent");
      return null;
    }
    return "ObjectInputStream (" + KnownCollections.NAMES.split(",").length + " collections)";
  }

  private static boolean isLoaded(Instrumentation instrumentation) {
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      if (type.getName().equals("java.io.ObjectInputStream")) {
        return true;
      }
    }
    return false;
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] file) {
    if (loader != null || !StreamClass.NAME.equals(name)) {
      return null;
    }
    try {
      return redefined == null ? stream(file) : streamAgain(file);
    } catch (UnknownShapeException e) {
      say("java.io.ObjectInputStream has an unknown shape (" + e.getMessage() + ")");
    } catch (Throwable e) {
      say("java.io.ObjectInputStream could not be rewritten (" + e + ")");
    }
    return null;
  }

  /** What another agent redefines a rewritten class with. */
  private byte @Nullable [] streamAgain(byte[] file) throws UnknownShapeException {
    return !rewritten || StreamClass.isRewritten(file) ? null : StreamClass.rewrite(file);
  }

  private byte[] stream(byte[] file) throws Exception {
    byte[] result = StreamClass.rewrite(file);
    // Before the class is there. To look at the helpers' methods would load it once more.
    defineHelpers();
    rewritten = true;
    Messages.note("ObjectInputStream is rewritten");
    return result;
  }

  private void defineHelpers() throws Exception {
    Map<String, String> values =
        Map.of("verify", String.valueOf(verify), "element stream", JavaBase.text(ELEMENTS));
    Access access = Access.to(instrumentation, NEIGHBOUR);
    JavaBase.define(access, NEIGHBOUR, HELPERS, values);
    HELPERS.initialize();
  }

  private static void say(String problem) {
    Messages.say("object streams: " + problem + "; left as it is");
  }
}
