package dev.offcut.agent.stream;

import dev.offcut.agent.code.UnknownShapeException;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites the JDK's collections, loaded or not. Unlike the stream's, this one is asked again when
 * anybody retransforms one of them, since the JVM then begins with the original.
 */
final class CollectionRetrofit implements ClassFileTransformer {
  CollectionRetrofit() {}

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] file) {
    if (loader != null || name == null || !CollectionClass.CALLS.containsKey(name)) {
      return null;
    }
    try {
      return CollectionClass.rewrite(name, file);
    } catch (UnknownShapeException e) {
      StreamRetrofit.say(name.replace('/', '.') + " has an unknown shape (" + e.getMessage() + ")");
    } catch (Throwable e) {
      StreamRetrofit.say(name.replace('/', '.') + " could not be rewritten (" + e + ")");
    }
    return null;
  }
}
