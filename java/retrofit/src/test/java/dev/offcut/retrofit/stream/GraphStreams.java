package dev.offcut.retrofit.stream;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;

/**
 * Streams of a program, with and without methods of their own; any of these may be in any loader.
 */
public final class GraphStreams {
  private GraphStreams() {}

  /** Leaves the JDK's methods as they are. */
  public static class Same extends ObjectInputStream {
    /** A stream. */
    public Same(InputStream in) throws IOException {
      super(in);
    }
  }

  /** Calls the JDK's methods from its own. */
  public static class Supers extends Same {
    /** A stream. */
    public Supers(InputStream in) throws IOException {
      super(in);
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass desc)
        throws IOException, ClassNotFoundException {
      return super.resolveClass(desc);
    }

    @Override
    protected Class<?> resolveProxyClass(String[] interfaces)
        throws IOException, ClassNotFoundException {
      return super.resolveProxyClass(interfaces);
    }
  }

  /** Inherits such methods. */
  public static class Inherits extends Supers {
    /** A stream. */
    public Inherits(InputStream in) throws IOException {
      super(in);
    }
  }

  /** Finds classes in its own loader. */
  public static class Finds extends Same {
    /** A stream. */
    public Finds(InputStream in) throws IOException {
      super(in);
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass desc)
        throws IOException, ClassNotFoundException {
      try {
        return Class.forName(desc.getName(), false, Finds.class.getClassLoader());
      } catch (ClassNotFoundException e) {
        return super.resolveClass(desc);
      }
    }
  }

  /** Overrides for proxies only. */
  public static class Proxies extends Same {
    /** A stream. */
    public Proxies(InputStream in) throws IOException {
      super(in);
    }

    @Override
    protected Class<?> resolveProxyClass(String[] interfaces)
        throws IOException, ClassNotFoundException {
      return super.resolveProxyClass(interfaces);
    }
  }

  /** Replaces objects, and reads on meanwhile. */
  public static final class Replaces extends Same {
    /** A stream. */
    public Replaces(InputStream in) throws IOException {
      super(in);
      enableResolveObject(true);
    }

    @Override
    protected Object resolveObject(Object object) {
      GraphPlay.again("resolveObject", new GraphReads());
      return object;
    }
  }
}
