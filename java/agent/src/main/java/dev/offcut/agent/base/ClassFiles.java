package dev.offcut.agent.base;

import java.io.Closeable;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * The class files that lie beside others: in the agent's jar, which it opens once, or in a folder.
 * To ask a class loader for them would cost the start of the program the classes of JDK that read
 * URLs. Not for several threads.
 */
final class ClassFiles implements Closeable {
  private @Nullable File place;
  private @Nullable ZipFile jar;

  ClassFiles() {}

  /** The class file of a class with this internal name. */
  byte[] read(Class<?> neighbour, String name) throws IOException {
    go(neighbour);
    try (InputStream file = open(name + ".class")) {
      return file.readAllBytes();
    }
  }

  private void go(Class<?> neighbour) throws IOException {
    URL url = neighbour.getProtectionDomain().getCodeSource().getLocation();
    try {
      File there = new File(url.toURI());
      if (!there.equals(place)) {
        close();
        place = there;
        jar = there.isDirectory() ? null : new ZipFile(there);
      }
    } catch (URISyntaxException | IllegalArgumentException e) {
      throw new IOException("no place of a file: " + url, e);
    }
  }

  private InputStream open(String name) throws IOException {
    if (jar == null) {
      return new FileInputStream(new File(place, name));
    }
    ZipEntry entry = jar.getEntry(name);
    if (entry == null) {
      throw new FileNotFoundException(name);
    }
    return jar.getInputStream(entry);
  }

  @Override
  public void close() throws IOException {
    if (jar != null) {
      jar.close();
    }
  }
}
