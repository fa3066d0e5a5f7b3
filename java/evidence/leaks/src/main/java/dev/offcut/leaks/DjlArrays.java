package dev.offcut.leaks;

import ai.djl.Device;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A service that makes its arrays with one manager, which keeps them all until it is closed. */
public final class DjlArrays {
  private static final int REQUESTS = 1_500;
  private static final int FLOATS = 16 * 1024;

  /** Open as long as the program runs. */
  private static final NDManager MANAGER = NDManager.newBaseManager(Device.cpu(), "OnnxRuntime");

  /** The input of a request. An array of Java floats is copied to a direct buffer of its own. */
  private static final ByteBuffer INPUT =
      ByteBuffer.allocateDirect(4 * FLOATS).order(ByteOrder.nativeOrder());

  private DjlArrays() {}

  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    Observer.begin();
    for (int i = 0; i < REQUESTS; i++) {
      if (fixed) {
        try (NDManager request = MANAGER.newSubManager()) {
          request.create(INPUT.asFloatBuffer(), new Shape(FLOATS), DataType.FLOAT32);
        }
      } else {
        infer(MANAGER);
      }
    }
    Observer.end();
  }

  private static void infer(NDManager manager) {
    manager.create(new float[FLOATS]); // the leak
  }
}
