package dev.offcut.retrofit.stream;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.rmi.MarshalledObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;

/**
 * Random class loaders: each has copies of some classes, takes others from its elders, does not see
 * some, and leaves the rest to the program's. They read on when they are asked for a class.
 */
final class GraphWorld {
  /** No bigger than what the graphs have: a stream that lost its place may ask for anything. */
  private static final int LONGEST = 1000;

  private static final List<Class<?>> READERS = List.of(GraphReads.class, GraphReads.Get.class);

  private static final List<Class<? extends ObjectInputStream>> STREAMS =
      List.of(
          GraphStreams.Same.class,
          GraphStreams.Supers.class,
          GraphStreams.Inherits.class,
          GraphStreams.Finds.class,
          GraphStreams.Proxies.class,
          GraphStreams.Replaces.class);

  private static final Class<?>[] NODES = GraphNodes.class.getDeclaredClasses();

  final List<ClassLoader> loaders = new ArrayList<>();
  private final Random random;

  GraphWorld(Random random) {
    this.random = random;
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      loaders.add(loader("L" + i));
    }
    loaders.add(GraphWorld.class.getClassLoader());
  }

  private ClassLoader loader(String name) {
    List<Class<?>> own = new ArrayList<>(READERS);
    own.addAll(STREAMS);
    List<Class<?>> others = new ArrayList<>();
    for (Class<?> node : NODES) {
      (random.nextInt(3) == 0 ? others : own).add(node);
    }
    CaseLoader loader =
        random.nextInt(3) == 0
            ? new Reading(name, own.toArray(new Class<?>[0]))
            : new CaseLoader(name, own.toArray(new Class<?>[0]));
    for (Class<?> other : others) {
      if (random.nextInt(8) == 0) {
        loader.without(other);
      } else if (!loaders.isEmpty() && random.nextInt(4) != 0) {
        loader.with(any(loaders), other);
      }
    }
    return loader;
  }

  private static final class Reading extends CaseLoader {
    Reading(String name, Class<?>... own) {
      super(name, own);
    }

    @Override
    protected synchronized Class<?> loadClass(String name, boolean resolve)
        throws ClassNotFoundException {
      GraphPlay.againHere("loadClass", new GraphReads());
      return super.loadClass(name, resolve);
    }
  }

  <T> T any(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  /** The code of a loader that reads. */
  GraphReader reader() throws ReflectiveOperationException {
    Class<?> type = any(loaders).loadClass(GraphReads.class.getName());
    return (GraphReader) type.getConstructor().newInstance();
  }

  /** The code of a loader that reads one of RMI's. */
  Callable<?> reader(MarshalledObject<?> object) throws ReflectiveOperationException {
    Class<?> type = any(loaders).loadClass(GraphReads.Get.class.getName());
    return (Callable<?>) type.getConstructor(MarshalledObject.class).newInstance(object);
  }

  /** A stream, of a class of a loader. */
  ObjectInputStream open(byte[] bytes) throws Exception {
    InputStream in = new ByteArrayInputStream(bytes);
    Class<?> type =
        random.nextBoolean()
            ? ObjectInputStream.class
            : any(loaders).loadClass(any(STREAMS).getName());
    // To see what a class overrides, the agent asks its loader for the types of its methods.
    for (Class<?> each = type; each != ObjectInputStream.class; each = each.getSuperclass()) {
      Objects.requireNonNull(each.getDeclaredMethods());
    }
    ObjectInputStream stream =
        (ObjectInputStream) type.getConstructor(InputStream.class).newInstance(in);
    boolean reads = random.nextInt(8) == 0;
    stream.setObjectInputFilter(
        info -> {
          GraphPlay.found(info.serialClass());
          if (reads) {
            GraphPlay.again("filter", new GraphReads());
          }
          return info.arrayLength() > LONGEST
              ? ObjectInputFilter.Status.REJECTED
              : ObjectInputFilter.Status.UNDECIDED;
        });
    return stream;
  }
}
