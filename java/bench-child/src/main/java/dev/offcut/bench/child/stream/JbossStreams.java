package dev.offcut.bench.child.stream;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInput;
import org.jboss.marshalling.Marshaller;
import org.jboss.marshalling.MarshallerFactory;
import org.jboss.marshalling.Marshalling;
import org.jboss.marshalling.MarshallingConfiguration;
import org.jboss.marshalling.SimpleClassResolver;
import org.jboss.marshalling.Unmarshaller;

/**
 * JBoss Marshalling with one reader for all streams, and one class loader, of which it asks each
 * class again in each stream, as the JDK's reader does. For one thread.
 */
final class JbossStreams implements Streams {
  private final MarshallerFactory factory;
  private final MarshallingConfiguration configuration = new MarshallingConfiguration();
  private final Unmarshaller reader;

  /** {@code protocol}: {@code river}, its own, or {@code serial}, that of the JDK. */
  JbossStreams(String protocol) throws IOException {
    factory = Marshalling.getProvidedMarshallerFactory(protocol);
    if (factory == null) {
      throw new IOException("JBoss Marshalling has no protocol " + protocol);
    }
    configuration.setClassResolver(new SimpleClassResolver(ClassLoader.getSystemClassLoader()));
    reader = factory.createUnmarshaller(configuration);
  }

  @Override
  public byte[] written(Object graph) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Marshaller out = factory.createMarshaller(configuration)) {
      out.start(Marshalling.createByteOutput(bytes));
      out.writeObject(graph);
      out.finish();
    }
    return bytes.toByteArray();
  }

  @Override
  public ObjectInput open(InputStream in) throws IOException {
    reader.start(Marshalling.createByteInput(in));
    return reader;
  }
}
