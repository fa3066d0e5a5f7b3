package dev.offcut.leaks;

import de.digitalcollections.openjpeg.imageio.OpenJp2ImageReaderSpi;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.spi.ImageReaderSpi;
import javax.imageio.stream.ImageInputStream;

/** An image server that asks a reader for the size of each picture and does not dispose of it. */
public final class Jp2Readers {
  private static final int PICTURES = 60;
  private static final int FILE_BYTES = 400_000;

  /**
   * The start of a picture: its size and an empty tile. A reader fills its buffer from the file.
   */
  private static final String PICTURE =
      """
      AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAAAtanAyaAAAABZpaGRyAAACAAAAAgAAAwcHAAAA\
      AAAPY29scgEAAAAAABAAAACwanAyY/9P/1EALwAAAAACAAAAAgAAAAAAAAAAAAAAAgAAAAIAAAAAAAAAAAAA\
      AwcBAQcBAQcBAf9SAAwAAAABAQUEBAAB/1wAE0BASEhQSEhQSEhQSEhQSEhQ/2QAJQABQ3JlYXRlZCBieSBP\
      cGVuSlBFRyB2ZXJzaW9uIDIuNS4w/5AACgAAAAAAKQAB/5PfgDgRUFSv9Mh/gICAgICAgICAgICAgICAgID/\
      2Q==\
      """;

  /** Each has class loaders that the library never drops, so the server has one. */
  private static final ImageReaderSpi READERS = new OpenJp2ImageReaderSpi();

  private Jp2Readers() {}

  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    try (Scratch scratch = Scratch.create()) {
      Path picture = scratch.path().resolve("picture.jp2");
      Files.write(picture, Arrays.copyOf(Base64.getDecoder().decode(PICTURE), FILE_BYTES));
      Observer.begin();
      long sum = 0;
      for (int i = 0; i < PICTURES; i++) {
        sum += width(picture.toFile(), fixed);
      }
      Observer.end();
      System.out.println("sum " + sum);
    }
  }

  private static int width(File picture, boolean fixed) throws IOException {
    ImageReader reader = READERS.createReaderInstance(); // the leak
    try (ImageInputStream in = ImageIO.createImageInputStream(picture)) {
      reader.setInput(in); // the leak: its stream
      int width = reader.getWidth(0); // the leak: its codec
      if (fixed) {
        reader.dispose();
      }
      return width;
    }
  }
}
