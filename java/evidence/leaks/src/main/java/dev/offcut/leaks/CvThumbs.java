package dev.offcut.leaks;

import nu.pattern.OpenCV;
import org.opencv.core.Core;
import org.opencv.core.CvType;
import org.opencv.core.Mat;
import org.opencv.core.Scalar;
import org.opencv.core.Size;
import org.opencv.imgproc.Imgproc;

/** A camera's frames are made smaller; the matrices between are not released. */
public final class CvThumbs {
  private static final int FRAMES = 300;

  private CvThumbs() {}

  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    OpenCV.loadLocally();
    Mat frame = new Mat(720, 1280, CvType.CV_8UC3, new Scalar(9, 99, 199));
    Observer.begin();
    double sum = 0;
    for (int i = 0; i < FRAMES; i++) {
      sum += thumb(frame, fixed);
    }
    Observer.end();
    System.out.println("sum " + sum);
  }

  private static double thumb(Mat frame, boolean fixed) {
    Mat gray = new Mat(); // the leak
    Mat small = new Mat(); // the leak
    Imgproc.cvtColor(frame, gray, Imgproc.COLOR_BGR2GRAY); // the leak: the pixels
    Imgproc.resize(gray, small, new Size(320, 240)); // the leak: the pixels
    double mean = Core.mean(small).val[0];
    if (fixed) {
      gray.release();
      small.release();
    }
    return mean;
  }
}
