package dev.offcut.leaks;

import de.digitalcollections.openjpeg.imageio.OpenJp2ImageReaderSpi;
import de.digitalcollections.openjpeg.imageio.OpenJp2ImageWriterSpi;
import java.awt.image.BufferedImage;
import java.io.File;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.ImageOutputStream;

/** An image server that asks a reader for the size of each picture and does not dispose of it. */
public final class Jp2Readers {
  private static final int PICTURES = 60;

  private Jp2Readers() {}

  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    try (Scratch scratch = Scratch.create()) {
      File picture = scratch.path().resolve("picture.jp2").toFile();
      write(picture);
      Observer.begin();
      long sum = 0;
      for (int i = 0; i < PICTURES; i++) {
        sum += width(picture, fixed);
      }
      Observer.end();
      System.out.println("sum " + sum);
    }
  }

  private static void write(File picture) throws Exception {
    ImageWriter writer = new OpenJp2ImageWriterSpi().createWriterInstance();
    try (ImageOutputStream out = ImageIO.createImageOutputStream(picture)) {
      writer.setOutput(out);
      writer.write(new BufferedImage(512, 512, BufferedImage.TYPE_3BYTE_BGR));
    }
    writer.dispose();
  }

  private static int width(File picture, boolean fixed) throws Exception {
    ImageReader reader = new OpenJp2ImageReaderSpi().createReaderInstance(); // the leak
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
