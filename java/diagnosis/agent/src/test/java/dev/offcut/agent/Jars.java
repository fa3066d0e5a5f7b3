package dev.offcut.agent;

import dev.offcut.test.AgentJvm;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Jars that tests pack. */
public final class Jars {
  private Jars() {}

  /** Nothing in it is compressed: a jar within it can be read where it lies. */
  public static Path pack(Path jar, Map<String, byte[]> files) throws IOException {
    try (OutputStream out = Files.newOutputStream(jar);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        ZipEntry entry = new ZipEntry(file.getKey());
        CRC32 sum = new CRC32();
        sum.update(file.getValue());
        entry.setMethod(ZipEntry.STORED);
        entry.setSize(file.getValue().length);
        entry.setCrc(sum.getValue());
        zip.putNextEntry(entry);
        zip.write(file.getValue());
      }
    }
    return jar;
  }

  /** The classes by which Spring Boot starts a program whose libraries are jars within its jar. */
  public static Map<String, byte[]> springBoot() throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (JarFile loader = new JarFile(AgentJvm.library("spring-boot-loader.jar").toFile())) {
      for (var entry : loader.stream().filter(one -> one.getName().endsWith(".class")).toList()) {
        try (InputStream in = loader.getInputStream(entry)) {
          files.put(entry.getName(), in.readAllBytes());
        }
      }
    }
    return files;
  }
}
