package dev.offcut.leaks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A scanner opens the jars of tenants, and a cache keeps them open. */
public final class Jars {
  private static final int TENANTS = 2_000;
  private static final List<JarFile> CACHE = new ArrayList<>();

  private Jars() {}

  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    try (Scratch scratch = Scratch.create()) {
      List<Path> files = new ArrayList<>();
      for (int i = 0; i < TENANTS; i++) {
        Path file = scratch.path().resolve(i + ".jar");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
          zip.putNextEntry(new ZipEntry("entry"));
          zip.write(i);
        }
        files.add(file);
      }
      Observer.begin();
      for (Path file : files) {
        scan(file, fixed);
      }
      Observer.end();
    }
  }

  private static void scan(Path file, boolean fixed) throws IOException {
    JarFile jar = new JarFile(file.toFile()); // the leak
    jar.getManifest();
    if (fixed) {
      jar.close();
    } else {
      CACHE.add(jar);
    }
  }
}
