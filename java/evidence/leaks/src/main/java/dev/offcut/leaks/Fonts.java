package dev.offcut.leaks;

import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.FileInputStream;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Invoices are drawn with a font that is made anew for each page. */
public final class Fonts {
  private static final int PAGES = 1_500;
  private static final String FILE = "/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf";
  private static @Nullable Font shared;

  private Fonts() {}

  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    System.setProperty("java.awt.headless", "true");
    Observer.begin();
    for (int i = 0; i < PAGES; i++) {
      BufferedImage page = new BufferedImage(600, 60, BufferedImage.TYPE_INT_RGB);
      Graphics2D graphics = page.createGraphics();
      graphics.setFont(fixed ? sharedFont() : font());
      graphics.drawString("Invoice of customer number " + i, 5, 30);
      graphics.dispose();
    }
    Observer.end();
  }

  private static Font sharedFont() throws Exception {
    Font font = shared == null ? font() : shared;
    shared = font;
    return font;
  }

  private static Font font() throws Exception {
    try (InputStream in = new FileInputStream(FILE)) {
      Font font = Font.createFont(Font.TRUETYPE_FONT, in); // the leak
      return font.deriveFont(18f);
    }
  }
}
