package dev.offcut.bench.objectstream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ObjectInput;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FixedLoaderStreamTest {
  private record Point(int x, int y) implements Serializable {}

  private final Map<String, Class<?>> known = new HashMap<>();

  private static Object read(Streams streams, Object object) throws Exception {
    byte[] bytes = streams.written(object);
    try (ObjectInput in = streams.open(new ByteArrayInputStream(bytes))) {
      return in.readObject();
    }
  }

  @Test
  void readObject_classOfTheLoader_isKept() throws Exception {
    Streams streams = FixedLoaderStream.of(FixedLoaderStreamTest.class.getClassLoader(), known);
    assertThat(read(streams, new Point(1, 2))).isEqualTo(new Point(1, 2));
    assertThat(known).containsOnly(Map.entry(Point.class.getName(), Point.class));
  }

  @Test
  void readObject_classThatIsKept_isNotAskedFor() throws Exception {
    known.put(Point.class.getName(), Point.class);
    Streams streams = FixedLoaderStream.of(ClassLoader.getPlatformClassLoader(), known);
    assertThat(read(streams, new Point(3, 4))).isEqualTo(new Point(3, 4));
  }

  @Test
  void readObject_primitiveType_isFound() throws Exception {
    Streams streams = FixedLoaderStream.of(ClassLoader.getPlatformClassLoader(), known);
    assertThat(read(streams, int.class)).isEqualTo(int.class);
  }
}
