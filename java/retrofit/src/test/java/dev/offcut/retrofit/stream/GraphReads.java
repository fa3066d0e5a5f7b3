package dev.offcut.retrofit.stream;

import java.io.ObjectInputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.rmi.MarshalledObject;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;

/** All ways into a stream. Every loader has a copy, so that the frames are of that loader. */
public final class GraphReads implements GraphReader {
  /** As many ways there are. */
  public static final int WAYS = 16;

  private static final MethodHandle READ;

  static {
    try {
      READ =
          MethodHandles.lookup()
              .findVirtual(
                  ObjectInputStream.class, "readObject", MethodType.methodType(Object.class));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** A reader. */
  public GraphReads() {}

  @Override
  public Object read(ObjectInputStream in, int way) throws Throwable {
    return switch (way) {
      case 0 -> in.readUnshared();
      case 1 -> ObjectInputStream.class.getMethod("readObject").invoke(in);
      case 2 -> READ.invoke(in);
      case 3 -> ((Callable<?>) in::readObject).call();
      case 4 -> inTask(in);
      case 5 -> byProxy(in);
      case 6 -> hidden(in);
      case 7 -> defaults(in);
      case 8 -> in.readFields().get("part", "");
      default -> in.readObject(); // the likeliest
    };
  }

  /** Its only frame is that of a lambda. */
  private static Object inTask(ObjectInputStream in) throws Exception {
    FutureTask<Object> task = new FutureTask<>(() -> in.readObject());
    task.run();
    return task.get();
  }

  private static Object byProxy(ObjectInputStream in) throws Exception {
    InvocationHandler handler = (proxy, method, args) -> in.readObject();
    ClassLoader loader = GraphReads.class.getClassLoader();
    return ((Callable<?>) Proxy.newProxyInstance(loader, new Class<?>[] {Callable.class}, handler))
        .call();
  }

  private static Object hidden(ObjectInputStream in) throws Throwable {
    byte[] file = StreamCases.file(Fixtures.ReadOne.class);
    Class<?> type = MethodHandles.lookup().defineHiddenClass(file, true).lookupClass();
    return ((Fixtures.Step) type.getConstructor().newInstance()).read(in);
  }

  private static Object defaults(ObjectInputStream in) throws Exception {
    in.defaultReadObject();
    return "default";
  }

  /** Reads with RMI's stream. */
  public static final class Get implements Callable<Object> {
    private final MarshalledObject<?> object;

    /** Of this one. */
    public Get(MarshalledObject<?> object) {
      this.object = object;
    }

    @Override
    public Object call() throws Exception {
      return object.get();
    }
  }
}
