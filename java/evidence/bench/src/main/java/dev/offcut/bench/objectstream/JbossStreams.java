package dev.offcut.bench.objectstream;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInput;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import org.jboss.marshalling.Marshaller;
import org.jboss.marshalling.MarshallerFactory;
import org.jboss.marshalling.Marshalling;
import org.jboss.marshalling.MarshallingConfiguration;
import org.jboss.marshalling.SimpleClassResolver;
import org.jboss.marshalling.Unmarshaller;

/**
 * JBoss Marshalling with one reader for all streams, and a map of the classes that it has found: by
 * itself it would ask the class loader again in each stream. For one thread.
 */
final class JbossStreams {
  static final JbossStreams ONE = new JbossStreams();

  private final MarshallerFactory factory = Marshalling.getProvidedMarshallerFactory("river");
  private final MarshallingConfiguration configuration = new MarshallingConfiguration();
  private final Unmarshaller reader;

  private JbossStreams() {
    configuration.setClassResolver(new KnownClasses());
    try {
      reader = factory.createUnmarshaller(configuration);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  byte[] written(Object graph) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Marshaller out = factory.createMarshaller(configuration)) {
      out.start(Marshalling.createByteOutput(bytes));
      out.writeObject(graph);
      out.finish();
    }
    return bytes.toByteArray();
  }

  ObjectInput open(InputStream in) throws IOException {
    reader.start(Marshalling.createByteInput(in));
    return reader;
  }

  private static final class KnownClasses extends SimpleClassResolver {
    private final Map<String, Class<?>> known = new HashMap<>();

    KnownClasses() {
      super(ClassLoader.getSystemClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name) throws ClassNotFoundException {
      Class<?> its = known.get(name);
      if (its == null) {
        its = super.loadClass(name);
        known.put(name, its);
      }
      return its;
    }
  }
}
