package dev.offcut.leaks;

import ai.djl.Device;
import ai.djl.ndarray.NDManager;

/** A service that makes its arrays with one manager, which keeps them all until it is closed. */
public final class DjlArrays {
  private static final int REQUESTS = 1_500;
  private static final int FLOATS = 16 * 1024;

  /** Open as long as the program runs. */
  private static final NDManager MANAGER = NDManager.newBaseManager(Device.cpu(), "OnnxRuntime");

  private DjlArrays() {}

  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    Observer.begin();
    for (int i = 0; i < REQUESTS; i++) {
      if (fixed) {
        try (NDManager request = MANAGER.newSubManager()) {
          infer(request);
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
