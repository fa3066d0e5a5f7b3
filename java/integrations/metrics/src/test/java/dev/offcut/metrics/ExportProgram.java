package dev.offcut.metrics;

import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.Inflater;

/**
 * A program that exports with what its class path has, until a word is in the export, and prints
 * it. Its arguments: how it exports, and the word.
 */
final class ExportProgram {
  private ExportProgram() {}

  /** One way to export. */
  interface Export {
    /** As text that Prometheus reads. */
    String scrape();
  }

  public static void main(String[] arguments) throws Exception {
    List<ByteBuffer> kept = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      kept.add(ByteBuffer.allocateDirect(1 << 20));
    }
    Inflater inflater = new Inflater();
    Export export = export(arguments[0]);
    String text = export.scrape();
    while (!text.contains(arguments[1])) {
      TimeUnit.MILLISECONDS.sleep(10);
      text = export.scrape();
    }
    System.out.println(text);
    System.out.println("kept " + kept.size());
    inflater.end();
  }

  /** By name: a class that the program lacks must not be needed to load this one. */
  static Export export(String way) throws ReflectiveOperationException {
    try {
      return Class.forName("dev.offcut.metrics." + way)
          .asSubclass(Export.class)
          .getDeclaredConstructor()
          .newInstance();
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(e.getCause());
    }
  }
}
