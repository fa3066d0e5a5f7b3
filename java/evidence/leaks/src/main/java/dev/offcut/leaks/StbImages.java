package dev.offcut.leaks;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import javax.imageio.ImageIO;
import org.lwjgl.stb.STBImage;

/** A game that decodes textures and does not free their pixels. */
public final class StbImages {
  private static final int TEXTURES = 400;
  private static final int SIDE = 256;

  private StbImages() {}

  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    ByteBuffer png = png();
    Observer.begin();
    long sum = 0;
    for (int i = 0; i < TEXTURES; i++) {
      sum += texture(png, fixed);
    }
    Observer.end();
    System.out.println("sum " + sum);
  }

  private static ByteBuffer png() throws Exception {
    BufferedImage image = new BufferedImage(SIDE, SIDE, BufferedImage.TYPE_INT_ARGB);
    for (int i = 0; i < SIDE * SIDE; i++) {
      image.setRGB(i % SIDE, i / SIDE, 0xff000000 | i * 2_654_435);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ImageIO.write(image, "png", out);
    return ByteBuffer.allocateDirect(out.size()).put(out.toByteArray()).flip();
  }

  private static int texture(ByteBuffer png, boolean fixed) {
    int[] size = new int[1];
    ByteBuffer pixels = STBImage.stbi_load_from_memory(png, size, size, size, 4); // the leak
    if (pixels == null) {
      throw new IllegalStateException(STBImage.stbi_failure_reason());
    }
    int first = pixels.get(0) & 0xff;
    if (fixed) {
      STBImage.stbi_image_free(pixels);
    }
    return first;
  }
}
