package dev.offcut.agent.stream.jdk;

import dev.offcut.agent.stream.Memo;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectStreamClass;
import org.jspecify.annotations.Nullable;

/** Stands for {@code java.io.ObjectInputStream} as it is after the rewriting. */
public abstract class StockStream {
  /** Added: what the current entry knows. Read and written without order: {@link Memo} says why. */
  public @Nullable Memo offcutMemo;

  /** Was private. What is being read, for {@code defaultReadObject}. */
  public @Nullable StockContext curContext;

  /** The JDK's, or an override. */
  public abstract Class<?> resolveClass(ObjectStreamClass desc)
      throws IOException, ClassNotFoundException;

  /** The JDK's, or an override. */
  public abstract Class<?> resolveProxyClass(String[] interfaces)
      throws IOException, ClassNotFoundException;

  /** Added: the JDK's resolveClass, with the loader and the classes from {@code Entries}. */
  public abstract Class<?> offcutResolveClass(ObjectStreamClass desc)
      throws IOException, ClassNotFoundException;

  /** Added: the JDK's resolveProxyClass, likewise. */
  public abstract Class<?> offcutResolveProxyClass(String[] interfaces)
      throws IOException, ClassNotFoundException;

  /** An entry. */
  public abstract Object readObject() throws IOException, ClassNotFoundException;

  /** Was private. What readObject() does after it has entered. */
  public abstract Object readObject(Class<?> type) throws IOException, ClassNotFoundException;

  /** The stream's filter. */
  public abstract @Nullable ObjectInputFilter getObjectInputFilter();
}
