package dev.offcut.leaks;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import java.util.Arrays;

/** An inference loop over texts that does not close its inputs. */
public final class OnnxTensors {
  private static final int REQUESTS = 1_500;

  private OnnxTensors() {}

  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    String[] texts = new String[64];
    Arrays.fill(texts, "word ".repeat(200));
    try (OrtEnvironment environment = OrtEnvironment.getEnvironment()) {
      Observer.begin();
      for (int i = 0; i < REQUESTS; i++) {
        if (fixed) {
          closing(environment, texts);
        } else {
          leaking(environment, texts);
        }
      }
      Observer.end();
    }
  }

  private static void leaking(OrtEnvironment environment, String[] texts) throws OrtException {
    OnnxTensor input = OnnxTensor.createTensor(environment, texts); // the leak
    input.getInfo();
  }

  private static void closing(OrtEnvironment environment, String[] texts) throws OrtException {
    try (OnnxTensor input = OnnxTensor.createTensor(environment, texts)) {
      input.getInfo();
    }
  }
}
