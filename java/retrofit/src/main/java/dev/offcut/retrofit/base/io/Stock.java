package dev.offcut.retrofit.base.io;

import java.io.IOException;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.NotActiveException;
import java.io.ObjectInputStream;
import java.io.ObjectInputValidation;
import java.io.ObjectStreamClass;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/**
 * Stand-ins: what the helpers see of the JDK, where those that they run beside cannot be compiled
 * against. None is ever loaded: the build replaces each name by the one of the class it stands for.
 */
public final class Stock {
  private Stock() {}

  /** Stands for {@code java.io.ObjectInputStream} as it is after the rewriting. */
  public abstract static class Stream {
    /**
     * Added: what the current entry knows. Read and written without order: {@link Memo} says why.
     */
    public @Nullable Memo offcutMemo;

    /** Added: what the collection that is being read is given. Without order: that says why. */
    public @Nullable Stream offcutElements;

    /**
     * Added: the descriptor, or the names of the interfaces, that the stream itself has
     * resolveClass or resolveProxyClass look up. Without order: {@code LatestLoader} says why.
     */
    public @Nullable Object offcutResolving;

    /** Makes one; never called. */
    protected Stream() {}

    /** The JDK's, or an override. */
    public native Class<?> resolveClass(ObjectStreamClass desc)
        throws IOException, ClassNotFoundException;

    /** The JDK's, or an override. */
    public native Class<?> resolveProxyClass(String[] interfaces)
        throws IOException, ClassNotFoundException;

    /** Was private. What readObject() does after it has entered. */
    public native Object readObject(Class<?> type) throws IOException, ClassNotFoundException;

    /** Was private. Asks the stream's filter. */
    public native void filterCheck(@Nullable Class<?> type, int length)
        throws InvalidClassException;

    /** What readObject() does in a stream that says that it reads itself. */
    protected abstract Object readObjectOverride() throws IOException, ClassNotFoundException;

    // What an ElementStream passes on, as ObjectInputStream has it.

    public abstract Object readUnshared() throws IOException, ClassNotFoundException;

    public abstract void defaultReadObject() throws IOException, ClassNotFoundException;

    public abstract ObjectInputStream.GetField readFields()
        throws IOException, ClassNotFoundException;

    public abstract void registerValidation(ObjectInputValidation object, int priority)
        throws NotActiveException, InvalidObjectException;

    public abstract int read() throws IOException;

    public abstract int read(byte[] buffer, int offset, int length) throws IOException;

    public abstract int available() throws IOException;

    public abstract void close() throws IOException;

    public abstract boolean readBoolean() throws IOException;

    public abstract byte readByte() throws IOException;

    public abstract int readUnsignedByte() throws IOException;

    public abstract char readChar() throws IOException;

    public abstract short readShort() throws IOException;

    public abstract int readUnsignedShort() throws IOException;

    public abstract int readInt() throws IOException;

    public abstract long readLong() throws IOException;

    public abstract float readFloat() throws IOException;

    public abstract double readDouble() throws IOException;

    public abstract void readFully(byte[] buffer) throws IOException;

    public abstract void readFully(byte[] buffer, int offset, int length) throws IOException;

    public abstract int skipBytes(int length) throws IOException;

    public abstract String readLine() throws IOException;

    public abstract String readUTF() throws IOException;
  }

  /** Stands for {@code java.io.ObjectStreamClass}: what is private to its package. */
  public abstract static class Desc {
    /** The class it describes. */
    public abstract Class<?> forClass();

    /** Calls the class's own readObject. */
    public abstract void invokeReadObject(Object object, Stream stream)
        throws IOException, ClassNotFoundException;
  }

  /** Stands for {@code jdk.internal.misc.VM}. */
  public static final class Vm {
    private Vm() {}

    /** The walk over the stack. */
    public static native ClassLoader latestUserDefinedLoader();
  }

  /** Stands for {@code jdk.internal.misc.Unsafe}. */
  public abstract static class Unsafe {
    /** The only one. */
    public static native Unsafe getUnsafe();

    /** Defines a class in a class loader, null for the boot loader. */
    public abstract Class<?> defineClass(
        String name,
        byte[] file,
        int offset,
        int length,
        @Nullable ClassLoader loader,
        @Nullable ProtectionDomain domain);

    /** Makes an object without a constructor. */
    public abstract Object allocateInstance(Class<?> type) throws InstantiationException;

    /** Where a field is. */
    public abstract long objectFieldOffset(Class<?> type, String field);

    /** Writes a field. */
    public abstract void putBoolean(Object object, long offset, boolean value);
  }

  /** Stands for {@code jdk.internal.loader.ClassLoaderValue}: a value that a class loader holds. */
  public static final class LoaderValue {
    /** A key. */
    public LoaderValue() {}

    /** The value that a loader holds under this key. */
    public native @Nullable Object get(ClassLoader loader);

    /** Gives a loader a value; the one that was there before. */
    public native @Nullable Object putIfAbsent(ClassLoader loader, Object value);
  }
}
