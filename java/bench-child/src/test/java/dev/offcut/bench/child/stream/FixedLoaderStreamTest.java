package dev.offcut.bench.child.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FixedLoaderStreamTest {
  private record Point(int x, int y) implements Serializable {}

  /** Counts what it is asked for. */
  private static final class Asked extends ClassLoader {
    private final List<String> names = new ArrayList<>();

    Asked(ClassLoader parent) {
      super(parent);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      names.add(name);
      return super.loadClass(name, resolve);
    }
  }

  private static byte[] serialized(Object object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    return bytes.toByteArray();
  }

  private static Object read(Streams streams, Object object) throws Exception {
    try (ObjectInputStream in = streams.open(new ByteArrayInputStream(serialized(object)))) {
      return in.readObject();
    }
  }

  @Test
  void readObject_twice_asksTheLoaderOnce() throws Exception {
    Asked loader = new Asked(FixedLoaderStreamTest.class.getClassLoader());
    Streams streams = FixedLoaderStream.of(loader);
    assertThat(read(streams, new Point(1, 2))).isEqualTo(new Point(1, 2));
    assertThat(read(streams, new Point(3, 4))).isEqualTo(new Point(3, 4));
    assertThat(loader.names.stream().filter(Point.class.getName()::equals)).hasSize(1);
  }

  @Test
  void readObject_primitiveType_isFound() throws Exception {
    Streams streams = FixedLoaderStream.of(FixedLoaderStreamTest.class.getClassLoader());
    assertThat(read(streams, int.class)).isEqualTo(int.class);
  }
}
