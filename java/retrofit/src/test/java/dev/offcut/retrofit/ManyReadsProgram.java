package dev.offcut.retrofit;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A program that reads many kinds of objects, as often as its first argument says; prints {@code
 * ready}; and again for each line that comes in, to the end of that.
 */
public final class ManyReadsProgram {
  private static final int NESTED = 10;

  private ManyReadsProgram() {}

  /** The argument: how often it reads. */
  public static void main(String[] args) throws Exception {
    byte[] bytes = write();
    do {
      for (int i = 0; i < Integer.parseInt(args[0]); i++) {
        read(bytes);
        readFiltered(bytes);
      }
      System.out.println("ready");
    } while (untilNextLine());
  }

  private static boolean untilNextLine() throws IOException {
    int next = System.in.read();
    while (next >= 0 && next != '\n') {
      next = System.in.read();
    }
    return next >= 0;
  }

  private static Object read(byte[] bytes) throws Exception {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return in.readObject();
    }
  }

  private static Object readFiltered(byte[] bytes) throws Exception {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      if (ObjectInputFilter.Config.getSerialFilter() == null) {
        in.setObjectInputFilter(info -> ObjectInputFilter.Status.UNDECIDED);
      }
      return in.readObject();
    }
  }

  private static byte[] write() throws IOException {
    Object nested =
        new Object[] {
          1,
          new int[] {2},
          LocalDate.of(1995, 5, 23),
          EnumSet.of(Thread.State.NEW),
          List.of(1, 2, 3),
          Map.of("a", 2, "b", 3),
          new HashMap<>(Map.of(4, 5.0)),
          new TreeMap<>(Map.of("c", 6)),
          new ConcurrentHashMap<>(Map.of(7, 8)),
          new CopyOnWriteArrayList<>(List.of(9)),
          new PriorityQueue<>(List.of(11)),
          new ArrayDeque<>(List.of(12)),
          Arrays.asList(13, 14),
          proxy(Shown.class),
          proxy(Hidden.class),
          new Sent()
        };
    for (int i = 0; i < NESTED; i++) {
      nested = new ArrayList<>(Arrays.asList(nested, i));
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(nested);
    }
    return bytes.toByteArray();
  }

  private static Object proxy(Class<?> type) {
    return Proxy.newProxyInstance(
        ManyReadsProgram.class.getClassLoader(), new Class<?>[] {type}, new Answers());
  }

  /** Not what is read in the end, which filters are asked about, too. */
  static final class Sent implements Serializable {
    private static final long serialVersionUID = 1;

    private Object readResolve() {
      return new Received();
    }
  }

  /** Never in a stream. */
  static final class Received {}

  /** Of proxies that lie in a package of the JVM's. */
  public interface Shown {}

  /** Of proxies that lie in this package. */
  interface Hidden {}

  /** What proxies answer. */
  private record Answers() implements InvocationHandler, Serializable {
    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args) {
      return null;
    }
  }
}
